#compdef tessera
# zsh completion for tessera, made by `tessera --completion zsh`
_tessera() {
    local line files
    local -a found
    for line in "${(@f)$(${(Q)words[1]} --complete "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
        if [[ $line == :files ]]; then
            files=1
        elif [[ $line == *$'\t'* ]]; then
            found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        elif [[ -n $line ]]; then
            found+=("${line//:/\\:}")
        fi
    done
    (( $#found )) && _describe -V tessera found
    if [[ -n $files ]]; then
        compset -P '--*='
        _files
    fi
}
if [[ $funcstack[1] == _tessera ]]; then _tessera "$@"; else compdef _tessera tessera; fi

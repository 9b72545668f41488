# bash completion for tessera, made by `tessera --completion bash`
_tessera() {
    local word begun=${COMP_WORDS[COMP_CWORD]} quoted
    [ "$begun" = = ] && begun=
    local command=${1:-tessera}
    command=${command/#\~\//$HOME/}
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        if [ "$word" = :files ]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$begun")
        elif [[ $word == *[!A-Za-z0-9_,.=/-]* ]]; then
            printf -v quoted %q "$word"
            COMPREPLY+=("$quoted")
        else
            COMPREPLY+=("$word")
        fi
    done < <("$command" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _tessera tessera

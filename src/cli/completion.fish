# fish completion for tessera, made by `tessera --completion fish`
function __tessera_complete
    set -l words (commandline -opc)
    set -l begun (commandline -ct)
    set -l option (string match -r -- '^--[^=]+=' "$begun")
    for line in ($words[1] --complete $words[2..-1] "$begun" 2>/dev/null)
        if test "$line" = :files
            for path in (__fish_complete_path (string replace -- "$option" '' "$begun"))
                echo -- "$option$path"
            end
        else
            echo -- "$line"
        end
    end
end
complete -c tessera -f -a '(__tessera_complete)'

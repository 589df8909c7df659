/** Completes commands and options like the scripts of yargs for bash and zsh; file names where there are none. */
export const FISH_COMPLETION = `###-begin-homeport-completions-###
#
# Installation: homeport completion > ~/.config/fish/completions/homeport.fish
#
function __homeport_completions
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    # yargs escapes colons for zsh.
    homeport --get-yargs-completions $before "$current" | string replace --all '\\:' ':'
end
complete -c homeport -f -a '(__homeport_completions)'
complete -c homeport -n 'not count (__homeport_completions) >/dev/null' -F
###-end-homeport-completions-###`;

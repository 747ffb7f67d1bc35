import { type GlobalOptions, oneOf } from "../options.ts";
import { printAnswer } from "../terminal/output.ts";
import { SHELLS } from "./table/command-spec.ts";

/**
 * The completion scripts. They only pass the words on to `knack __complete` and offer what it prints: what can be completed is
 * decided in one place and is never older than the program. They call the `knack` of the PATH, whatever path was typed: Tab must
 * not start a program of the folder at hand. Nothing that is printed is expanded or evaluated.
 */

const BASH = String.raw`# Completion for knack in bash. In ~/.bashrc: source <(knack completion bash)
_knack() {
  local rest=\${COMP_LINE:0:COMP_POINT} word line prefix i last=-1
  local -a words=()
  # Bash splits words at ":" and "=" too; what has no space before it belongs to the word before.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ last -lt 0 || $rest == [[:space:]]* ]]; then
      last=$((last + 1))
      words[last]=
    fi
    rest=\${rest#"\${rest%%[![:space:]]*}"}
    ((i == COMP_CWORD)) && word=$rest
    rest=\${rest#"$word"}
    words[last]+=\${word//[\"\'\\]/}
  done
  COMPREPLY=()
  word=\${words[last]}
  prefix=
  [[ $word == *[:=]* ]] && prefix=\${word%"\${word##*[:=]}"}
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default 2>/dev/null ;;
      :folders) compopt -o dirnames 2>/dev/null ;;
      *)
        line=\${line%%$'\t'*}
        COMPREPLY+=("\${line#"$prefix"}")
        ;;
    esac
  done < <(command knack __complete $((last - 1)) "\${words[@]:1}" 2>/dev/null)
}
complete -F _knack knack
`;

const ZSH = String.raw`#compdef knack
# Completion for knack in zsh. In ~/.zshrc, after compinit: source <(knack completion zsh)
# Or save it as _knack in a folder of fpath.
_knack() {
  local line
  local -a lines values
  lines=("\${(@f)$(command knack __complete $((CURRENT - 2)) "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in "\${(@)lines}"; do
    case $line in
      '') ;;
      :files) _files ;;
      :folders) _files -/ ;;
      *$'\t'*) values+=("\${\${line%%$'\t'*}//:/\\:}:\${line#*$'\t'}") ;;
      *) values+=("\${line//:/\\:}") ;;
    esac
  done
  (( \${#values} )) && _describe -t knack knack values
}
compdef _knack knack
# In a folder of fpath this file is the function's body at the first Tab.
if [[ $funcstack[1] == _knack ]]; then _knack "$@"; fi
`;

const FISH = String.raw`# Completion for knack in fish: knack completion fish > ~/.config/fish/completions/knack.fish
function __knack_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in (command knack __complete (math (count $before) - 1) $before[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':folders'
                __fish_complete_directories "$current"
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c knack -f -a '(__knack_complete)'
`;

const POWERSHELL = String.raw`# Completion for knack in PowerShell. In $PROFILE: knack completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName knack -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$_".Trim('"', "'") })
    $before = @($words | Select-Object -Skip 1)
    $program = Get-Command knack -CommandType Application, ExternalScript -ErrorAction SilentlyContinue | Select-Object -First 1
    if (-not $program) { return }
    # No result at all makes PowerShell complete files, which is what :files and :folders ask for.
    & $program __complete $before.Count @before $wordToComplete 2>$null |
        Where-Object { $_ -and -not $_.StartsWith(':') } |
        ForEach-Object {
            $value, $description = $_ -split [char]9, 2
            if (-not $description) { $description = $value }
            $text = if ($value -match '^[\w./:+=-]+$') { $value } else { "'" + $value + "'" }
            [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
        }
}
`;

/** In a template of this file, a dollar sign before a brace is written with a backslash. */
const written = (script: string): string => script.replaceAll("\\${", "${");

export const SCRIPTS = {
  bash: written(BASH),
  zsh: written(ZSH),
  fish: FISH,
  powershell: POWERSHELL,
} as const;

export function completion(given: string, options: GlobalOptions): void {
  const shell = oneOf(given, SHELLS, "completion for");
  printAnswer(options, { shell, script: SCRIPTS[shell] }, SCRIPTS[shell].trimEnd());
}

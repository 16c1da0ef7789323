#!/usr/bin/env bash
# completions.sh - bash, fish and zsh complete options, their values and file names
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/tool/lib.sh
source "$root/tests/tool/lib.sh"

# Shells that are missing are left out.
completions=$root/tools/completions
touch numbers.u32
export HOME=$work

# in_bash LINE: prints what bash completes at the end of the line, which it divides at blanks and "=".
in_bash() {
    local last
    # shellcheck disable=SC2206 # the words of the line
    COMP_WORDS=(${1//=/ = })
    [[ $1 == *' ' ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    last=${COMP_WORDS[COMP_CWORD]}
    # shellcheck disable=SC1091 # not a script
    source "$completions/clsort.bash"
    _clsort "${COMP_WORDS[0]}" "$last" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
}

in_fish() {
    fish --no-config -c "set -p fish_complete_path $completions; complete -C '$1'" | sed 's/\t.*//; s/^--.*=//'
}

# in_zsh LINE: prints the line as zsh completes it, since it shows a list only if there is a choice.
in_zsh() {
    # shellcheck disable=SC2016 # zsh expands the variables
    timeout 60 zsh -f -c '
        zmodload zsh/zpty
        zpty z zsh -f -i
        zpty -w z "PROMPT=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; cd $2; setopt no_beep"
        zpty -w z "show() { print -r -- \"<\$BUFFER>\" }; zle -N show; bindkey \"^X\" show; print REA\"\"DY"
        zpty -r z text "*READY*"
        zpty -w -n z "$3"$'\''\t\x18'\''
        zpty -r z text "*<*>*"
        print -r -- "${${text##*<}%%>*}"
    ' zsh "$completions" "$work" "$1" | sed 's/[ =]*$//; s/.*[ =]//'
}

complete_in() {
    case $1 in
    bash) in_bash "$2" ;;
    fish) in_fish "$2" ;;
    zsh) in_zsh "$2" ;;
    esac
}

# offers LINE WORD...: every shell completes the end of the line to each word.
offers() {
    local line=$1 shell word
    shift
    for shell in bash "${others[@]}"; do
        complete_in "$shell" "$line" >found
        for word in "$@"; do
            grep -qxF -- "$word" found || fail "$shell does not complete '$line' to '$word' but to: $(cat found)"
        done
    done
}

others=()
command -v fish >/dev/null && others+=(fish)
offers "clsort --ty" --type
offers "clsort --type u" u8 u64
offers "clsort --device=" cpu host
offers "clsort --stats=" text json
offers "clsort --progress=" auto always never json
offers "clsort --compress=" auto zstd
offers "clsort --stats num" numbers.u32
offers "clsort --type u32 num" numbers.u32
offers "clsort -o num" numbers.u32
offers "clsort-gen --dist=z" zipf
offers "clsort-tune -o num" numbers.u32
for shell in bash "${others[@]}"; do
    complete_in "$shell" "clsort-tune --device " >found
    ! grep -qx host found || fail "$shell offers a device that clsort-tune does not have"
done

# zsh completes a line to the only choice.
others=()
command -v zsh >/dev/null && others+=(zsh)
offers "clsort --ty" --type
offers "clsort --type=u1" u16
offers "clsort -t u1" u16
offers "clsort --stats=j" json
offers "clsort --progress=al" always
offers "clsort --stats num" numbers.u32
offers "clsort -o num" numbers.u32
offers "clsort-gen -d zi" zipf
finish

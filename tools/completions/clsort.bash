# clsort.bash - bash completion of the tools of clsort

_clsort()
{
    local tool=${1##*/} current=$2 previous=$3 options
    COMPREPLY=()
    # bash divides --stats=text into three words. The value of an optional argument follows "=" only.
    [[ $current == "=" ]] && previous+="=" current=
    [[ $previous == "=" ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}=
    [[ $previous == --stats= || $previous == --progress= ]] || previous=${previous%=}
    case $previous in
    --type | --warm) options="u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64" ;;
    --dist | -d) options="uniform sorted reversed equal few zipf normal entropy2 entropy3 entropy4 entropy5
            organ-pipe clusters hot special nearly-sorted runs root-dups two-dups eight-dups left-aligned
            alternating expo bitexp stairs shared-prefix random-runs" ;;
    --algorithm) options="auto radix onesweep hybrid cpu local count merge bitonic quick" ;;
    --device) options="cpu gpu" && [[ $tool == clsort || $tool == clsort-mpi ]] && options+=" host" ;;
    --devices) options="all" ;;
    --axis) options="none" && [[ $tool == clsort ]] && options+=" -1 0 1" ;;
    --compress) options="auto none lz4 zstd" ;;
    --stats=) options="text json" ;;
    --progress=) options="auto always never json" ;;
    --op) options="keys pairs custom merge argsort gather top nth segments unique check columns strings records particles" ;;
    --segments) [[ $tool == clsort ]] || options="equal uniform zipf mixed" ;;
    --table) options="bitonic selection" ;;
    --kind) options="keys1 keys2 keys4 keys8 pairs1 pairs2 pairs4 pairs8" ;;
    --batch) options="auto" ;;
    --temporary-directory | --resume) COMPREPLY=($(compgen -d -- "$current")) && return ;;
    --output | -o | --json | --files0-from) COMPREPLY=($(compgen -f -- "$current")) && return ;;
    esac
    [[ $tool != clsort-tune && $previous == -t ]] && options="u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64"
    if [[ -z ${options:-} && $current == -* ]]; then
        case $tool in
        clsort) options="--argsort --axis --bottom -k --key --key-size --less --nth --numeric --record -r --reverse --rows --segments --top -t --type -u --unique --batch-size -S --buffer-size -c --check --compress --files0-from
            --force -m --merge --no-verify -o --output --progress -q --quiet --resume --sum -T --temporary-directory --algorithm --device --devices --explain --list-devices --stats --warm -h --help -V --version" ;;
        clsort-mpi) options="--argsort --axis --bottom -k --key --key-size --less --nth --numeric --record -r --reverse --top -t --type -u --unique
            -S --buffer-size -c --check --files0-from --force -o --output --progress -q --quiet --sum -T --temporary-directory --algorithm --device --explain --stats -h --help -V --version" ;;
        clsort-gen) options="--ascii -d --dist --force --npy -n --count -o --output --record -s --seed --segment-length
            --segments -t --type -h --help -V --version" ;;
        clsort-tune) options="--device --kind -o --output -t --time -h --help -V --version" ;;
        clsort-bench) options="--algorithm --batch --count-share --device --device-time --dist --enqueue --group --host --input-order --json --k --key-size --n
            --no-indexes --no-scratch --op --peers --runs --second --segment-length --segments --sub-devices --table --type --unstable --value-size -h --help -V --version" ;;
        esac
    fi
    if [[ -n ${options:-} ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}
complete -o filenames -F _clsort clsort clsort-mpi clsort-gen clsort-tune clsort-bench

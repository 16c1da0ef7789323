# clsort-tune.fish - fish completion of clsort-tune
complete -c clsort-tune -f
complete -c clsort-tune -l device -x -a 'cpu gpu' -d 'Measure this device: an index, cpu, gpu, or a part of its name'
complete -c clsort-tune -l kind -x -a 'keys1 keys2 keys4 keys8 pairs1 pairs2 pairs4 pairs8' -d 'Measure only this kind of sorts (default: all)'
complete -c clsort-tune -l output -s o -r -F -d 'Write the tune file to this path instead of where the library reads it'
complete -c clsort-tune -l time -s t -x -d 'Take at most about this many seconds (default: 300)'
complete -c clsort-tune -l help -s h -d 'Print the options'
complete -c clsort-tune -l version -s V -d 'Print the version'

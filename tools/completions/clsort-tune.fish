# clsort-tune.fish - fish completion of clsort-tune
complete -c clsort-tune -f
complete -c clsort-tune -l device -r -f -a 'cpu gpu' -d 'Measure this device'
complete -c clsort-tune -l output -s o -r -F -d 'Write to FILE instead of the place where the library reads it'
complete -c clsort-tune -l time -s t -r -f -d 'Take at most about this long'
complete -c clsort-tune -l help -s h -d 'Give this help list'
complete -c clsort-tune -l version -s V -d 'Print program version'

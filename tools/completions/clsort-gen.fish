# clsort-gen.fish - fish completion of clsort-gen
complete -c clsort-gen -f
complete -c clsort-gen -l dist -s d -r -f -a 'uniform sorted reversed equal few zipf normal entropy2 entropy3 entropy4 entropy5 organ-pipe clusters hot special' -d 'Distribution of the keys'
complete -c clsort-gen -l force -d 'Write also to a terminal'
complete -c clsort-gen -l npy -d 'Write a .npy file'
complete -c clsort-gen -l count -s n -r -f -d 'Number of keys'
complete -c clsort-gen -l output -s o -r -F -d 'Write to FILE instead of standard output'
complete -c clsort-gen -l seed -s s -r -f -d 'Unsigned integer'
complete -c clsort-gen -l type -s t -r -f -a 'u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64' -d 'Type of the keys'
complete -c clsort-gen -l help -s h -d 'Give this help list'
complete -c clsort-gen -l version -s V -d 'Print program version'

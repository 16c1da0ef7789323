# clsort-gen.fish - fish completion of clsort-gen
complete -c clsort-gen -f
complete -c clsort-gen -l dist -s d -x -a 'uniform sorted reversed equal few zipf normal entropy2 entropy3 entropy4 entropy5 organ-pipe clusters hot special nearly-sorted runs root-dups two-dups eight-dups left-aligned alternating expo bitexp stairs shared-prefix random-runs' -d 'Distribution of the keys (default: uniform)'
complete -c clsort-gen -l force -d 'Write also to a terminal'
complete -c clsort-gen -l npy -d 'Write a .npy file, which NumPy reads'
complete -c clsort-gen -l count -s n -x -d 'Number of keys, such as 1000, 16M or 2^20'
complete -c clsort-gen -l output -s o -r -F -d 'Write to this file instead of standard output'
complete -c clsort-gen -l seed -s s -x -d 'Number that selects other random keys (default: 0)'
complete -c clsort-gen -l segment-length -x -d 'With --segments, the mean length of the segments (default: 256)'
complete -c clsort-gen -l segments -x -a 'equal uniform zipf mixed' -d 'Write the offsets of segments instead of keys'
complete -c clsort-gen -l type -s t -x -a 'u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64' -d 'Type of the keys (default: u32)'
complete -c clsort-gen -l help -s h -d 'Print the options'
complete -c clsort-gen -l version -s V -d 'Print the version'

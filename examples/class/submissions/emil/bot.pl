# Plays a random open column.
use strict;
use warnings;

$| = 1;  # flush every answer
while (my $line = <STDIN>) {
    $line =~ s/\s//g;
    my ($grid) = $line =~ /"grid":\[\[([\d,\[\]]*?)\]\]/;
    my @columns = split /\],\[/, $grid;
    my @open = grep { $columns[$_] =~ /^0/ } 0 .. $#columns;
    print "{\"move\": $open[rand @open]}\n";
}

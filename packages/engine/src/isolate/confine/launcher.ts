/**
 * A Perl program that drops its own rights and then executes a command. Perl, because neither Node nor a shell can make these
 * system calls, a compiled helper would have to be built for each system, and Debian, Ubuntu and their images always have Perl.
 *
 * Arguments: the system call filter in hexadecimal, the number of `prctl` on this architecture, pairs of a letter and a path,
 * `--`, the command. Letters: `s` and `r` read and execute, `w` also write, `l` list names, `d` a device to read and write.
 * Links are followed only for `s` and `d`, the system's own paths. A missing path is skipped. Any other failure exits with 126:
 * the command never starts with more rights.
 */
export const LAUNCHER = String.raw`
use strict;
my ($filter, $prctl) = (pack("H*", shift @ARGV), int(shift @ARGV));
sub fail { print STDERR "isolation could not be set up: $_[0]: $!\n"; exit 126 }

# Landlock: files, TCP, abstract sockets and signals, as far as this kernel supports them.
my ($create_ruleset, $add_rule, $restrict_self) = (444, 445, 446);
my $abi = syscall($create_ruleset, 0, 0, 1);
fail("Landlock") if $abi < 1;
my $known = $abi >= 5 ? 0xffff : $abi >= 3 ? 0x7fff : $abi == 2 ? 0x3fff : 0x1fff;
my $attributes = pack("Q", $known);
$attributes .= pack("Q", 3) if $abi >= 4;
$attributes .= pack("Q", 3) if $abi >= 6;
my $ruleset = syscall($create_ruleset, $attributes, length($attributes), 0);
fail("ruleset") if $ruleset < 0;

my ($execute, $write_file, $read_file, $read_dir, $truncate, $ioctl) = (1, 2, 4, 8, 0x4000, 0x8000);
my $of_files = $execute | $write_file | $read_file | $truncate | $ioctl;
# May not create sockets or devices.
my $all_but_special = 0xffff & ~(0x40 | 0x200 | 0x800 | $ioctl);
my $read = $execute | $read_file | $read_dir;
my %rights = (s => $read, r => $read, l => $read_dir, w => $all_but_special, d => $read_file | $write_file | $ioctl);
while (@ARGV && (my $letter = shift @ARGV) ne "--") {
  my $path = shift @ARGV;
  my $wanted = $rights{$letter} & $known;
  # Open the path only (O_PATH), and never follow an untrusted link.
  my ($o_path, $o_nofollow) = (0x200000, $prctl == 167 ? 0x8000 : 0x20000);
  sysopen(my $place, $path, $letter =~ /[rwl]/ ? $o_path | $o_nofollow : $o_path) or next;
  $wanted &= $of_files unless -d $place;
  my $rule = pack("Ql", $wanted, fileno($place));
  fail("rule for $path") if syscall($add_rule, $ruleset, 1, $rule, 0) != 0;
  close($place);
}

my ($set_no_new_privs, $set_seccomp, $filter_mode) = (38, 22, 2);
fail("no_new_privs") if syscall($prctl, $set_no_new_privs, 1, 0, 0, 0) != 0;
fail("restrict") if syscall($restrict_self, $ruleset, 0) != 0;
# Close all except standard input, output, error and the channel.
my $close_range = 436;
fail("descriptors") if syscall($close_range, 4, 0xffffffff, 0) != 0;
my $program = pack("S x![P] P", length($filter) / 8, $filter);
fail("seccomp") if syscall($prctl, $set_seccomp, $filter_mode, $program, 0, 0) != 0;
exec { $ARGV[0] } @ARGV or fail($ARGV[0]);
`;

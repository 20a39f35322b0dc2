# zsh -f capture.zsh SCRIPT LINE: prints the words that zsh offers for a line
zmodload zsh/zpty || exit 1
folder=$(mktemp -d)
export OFFERED=$folder/offered SCRIPT=$1
cat >$folder/setup.zsh <<'SETUP'
autoload -Uz compinit
compinit -u -D
source $SCRIPT
bindkey '^I' complete-word
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits >>$OFFERED
  return 0
}
report_end() { print -r -- '' >>$OFFERED.end; }
comppostfuncs=(report_end)
print READY
SETUP
zpty shell zsh -f -i
zpty -w shell "source $folder/setup.zsh"
while zpty -r shell text; do [[ $text == *READY* ]] && break; done
zpty -w -n shell "$2"$'\t'
while [[ ! -e $OFFERED.end ]]; do zpty -r -t shell text; sleep 0.02; done
[[ -e $OFFERED ]] && cat $OFFERED
zpty -d shell
rm -r $folder

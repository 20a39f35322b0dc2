# What the steps of the action share: messages, and the check of the name. Inputs can be any text.

# Prints an annotation: its level and its message, of which no line can be a command of GitHub.
annotate() {
  local text=${2//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::%s title=bench-rest::%s\n' "$1" "${text//$'\n'/%0A}"
}

fail() {
  annotate error "$1"
  exit 1
}

# The name is that of an artifact and of a folder.
case $NAME in
  '' | . | .. | *[[:cntrl:]\":\<\>\|\*\?\\/]*)
    fail "name: '$NAME' cannot be the name of an artifact: use letters, digits, spaces, dots and dashes" ;;
esac

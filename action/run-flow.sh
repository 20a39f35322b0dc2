#!/usr/bin/env bash
# Runs the flow, compares it with the baseline, or in turn with the base branch, and reports it as annotations and in the summary of the job. The exit code
# is an output: the last step of the action ends with it, after the results were uploaded.
set -euo pipefail
here=$GITHUB_ACTION_PATH/action
source "$here/inputs.sh"

folder=$RUNNER_TEMP/$NAME
result=$folder/result.json
report=$folder/report.md
page=$folder/page.html
mkdir -p "$folder"
# those of an earlier step with the same name
[[ -z "$BASELINE" || ! "$BASELINE" -ef "$result" ]] || fail 'baseline: is the file of this result; use another name'
rm -f "$result" "$report" "$page"

# Splits the text of an input into the array `words`; an empty word in quotes is one, too.
split() {
  words=()
  TEXT=$2 node "$here/words.js" >"$folder.words" || fail "$1: a quote is not closed"
  while IFS= read -r -d '' word; do words+=("$word"); done <"$folder.words"
  rm "$folder.words"
}

if [[ -z "$VERSION" && -x node_modules/.bin/bench-rest ]]; then
  bench=(node_modules/.bin/bench-rest)
else
  own=$(node -p 'require(process.env.GITHUB_ACTION_PATH + "/package.json").version')
  bench=(npx --yes "bench-rest@${VERSION:-$own}")
fi

# a flow can be neither an option nor the command of a server, which follows `--`
case $FLOW in
  '') fail 'flow: is empty; name a flow file or a URL' ;;
  -*) FLOW=./$FLOW ;;
esac
own=(-o "$result" -o "$report" -o "$page")
# Appends an option for each word of an input.
each() {
  split "$1" "$2"
  for word in ${words[@]+"${words[@]}"}; do own+=("--$1=$word"); done
}

command=()
ref=$VERSUS from=$VERSUS
if [[ "$VERSUS" == base ]]; then
  ref=$BASE_SHA from=$BASE_SHA
elif [[ -n "$VERSUS" && ! "$VERSUS" =~ ^[0-9a-f]{40}$ ]]; then
  git check-ref-format "refs/heads/$VERSUS" || fail "versus: '$VERSUS' cannot be the name of a branch or tag"
  ref=origin/$VERSUS from=+$VERSUS:refs/remotes/origin/$VERSUS
fi
if [[ -n "$START" && -n "$ref" ]]; then
  # both sides on one machine, in turn: a result of another job is of another machine
  git fetch --quiet --depth 1 origin "$from" || fail "versus: cannot fetch '${ref#origin/}' from origin: is it a branch, a tag or a commit there, and does the job check out the repository?"
  command=(ab)
  own+=("--runs=$RUNS" "--start=$START" "--versus-ref=$ref")
  [[ -z "$SETUP" ]] || own+=("--setup=$SETUP")
  each max-regression "$MAX_REGRESSION"
elif [[ -n "$START" ]]; then
  own+=("--start=$START")
elif [[ -n "$BASELINE" ]]; then
  own+=("--baseline=$BASELINE")
  each max-regression "$MAX_REGRESSION"
  each noise "$NOISE"
fi
split options "$OPTIONS"

code=0
# what a server sends may begin a line with a command of GitHub: none is obeyed until the token
token=$(node -p 'require("node:crypto").randomUUID()')
echo "::stop-commands::$token"
# the options are the last, so that an option of them without a value takes nothing of ours
"${bench[@]}" ${command[@]+"${command[@]}"} "${own[@]}" "$FLOW" ${words[@]+"${words[@]}"} 2>&1 || code=$?
printf '\n::%s::\n' "$token"

if [[ -f "$result" ]]; then
  if [[ ${#command[@]} -gt 0 ]]; then
    # why it failed, or what the comparison amounts to
    outcome=$(node -p 'const { outcome, conclusion } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")); outcome.passed ? conclusion.message : outcome.reasons.map(({ message }) => message).join("; ")' "$result")
    [[ $code -eq 0 ]] || annotate error "exit code $code: $outcome"
  else
    "${bench[@]}" report "$result" --format github || true # its exit code judges the result once more
  fi
  cat "$report" >>"$GITHUB_STEP_SUMMARY"
else
  annotate error "no result: exit code $code, see the log"
fi

{
  echo "exit-code=$code"
  echo "folder=$folder"
  echo "result=$result"
  echo "report=$report"
  echo "page=$page"
} >>"$GITHUB_OUTPUT"

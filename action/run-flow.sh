#!/usr/bin/env bash
# Runs the flow, compares it with the baseline, and reports it as annotations and in the summary of the job. The exit code
# is an output: the last step of the action ends with it, after the results were uploaded.
set -euo pipefail

# Splits a text into words, with the quotes of a shell but without its expansions, into the array `words`.
split() {
  words=()
  [[ -z "${1//[[:space:]]/}" ]] && return
  local lines
  if ! lines=$(xargs printf '%s\n' <<<"$1"); then
    echo "::error title=bench-rest::$2: a quote is not closed"
    exit 1
  fi
  while IFS= read -r word; do words+=("$word"); done <<<"$lines"
}

if [[ -z "$VERSION" && -x node_modules/.bin/bench-rest ]]; then
  bench=(node_modules/.bin/bench-rest)
else
  own=$(node -p 'require(process.env.GITHUB_ACTION_PATH + "/package.json").version')
  bench=(npx --yes "bench-rest@${VERSION:-$own}")
fi

folder=$RUNNER_TEMP/$NAME
result=$folder/result.json
report=$folder/report.md
mkdir -p "$folder"
split "$ARGS" args
args=(${words[@]+"${words[@]}"})
compared=()
if [[ -n "$BASELINE" ]]; then
  compared=(--baseline "$BASELINE")
  split "$MAX_REGRESSION" max-regression
  for limit in ${words[@]+"${words[@]}"}; do compared+=(--max-regression "$limit"); done
fi

code=0
"${bench[@]}" ${args[@]+"${args[@]}"} ${compared[@]+"${compared[@]}"} -o "$result" -o "$report" -o "$folder/page.html" "$FLOW" || code=$?

if [[ -f "$result" ]]; then
  "${bench[@]}" report "$result" --format github || true # its exit code judges the result once more
  cat "$report" >>"$GITHUB_STEP_SUMMARY"
else
  echo "::error title=bench-rest::no result: exit code $code, see the log"
fi

{
  echo "exit-code=$code"
  echo "folder=$folder"
  echo "result=$result"
  echo "report=$report"
  echo "page=$folder/page.html"
} >>"$GITHUB_OUTPUT"

#!/usr/bin/env bash
# Output path: the result to compare with. It is the file that $BASELINE names, or the latest one that a push to the base
# branch of the pull request has uploaded. A pull request without one is no error: the first one has none.
set -euo pipefail
source "$GITHUB_ACTION_PATH/action/inputs.sh"

if [[ -n "$BASELINE" ]]; then
  [[ -f "$BASELINE" ]] || fail "there is no baseline at $BASELINE"
  # a line break would begin another output
  [[ "$BASELINE" != *$'\n'* ]] || fail 'baseline: has a line break; rename the file'
  echo "path=$BASELINE" >>"$GITHUB_OUTPUT"
  exit 0
fi

workflow=${GITHUB_WORKFLOW_REF%%@*}
folder=$RUNNER_TEMP/baseline-of-$NAME
if ! runs=$(gh run list --repo "$GITHUB_REPOSITORY" --workflow "${workflow##*/}" --branch "$GITHUB_BASE_REF" \
  --event push --status completed --limit 10 --json databaseId --jq '.[].databaseId'); then
  annotate warning "cannot list the runs of $GITHUB_BASE_REF: does the job have the permission actions: read?"
  exit 0
fi
for run in $runs; do
  rm -rf "$folder"
  if gh run download "$run" --repo "$GITHUB_REPOSITORY" --name "$NAME" --dir "$folder" && [[ -f "$folder/result.json" ]]; then
    echo "compared with run $run of $GITHUB_BASE_REF"
    echo "path=$folder/result.json" >>"$GITHUB_OUTPUT"
    exit 0
  fi
done
annotate notice "no result of $GITHUB_BASE_REF to compare with: the next push to it uploads one"

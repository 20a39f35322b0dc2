#!/usr/bin/env bash
# Output path: the result to compare with. It is the file that $BASELINE names, or the latest one that a push to the base
# branch of the pull request has uploaded. A pull request without one is no error: the first one has none.
set -euo pipefail

if [[ -n "$BASELINE" ]]; then
  if [[ ! -f "$BASELINE" ]]; then
    echo "::error title=bench-rest::there is no baseline at $BASELINE"
    exit 1
  fi
  echo "path=$BASELINE" >>"$GITHUB_OUTPUT"
  exit 0
fi

workflow=${GITHUB_WORKFLOW_REF%%@*}
folder=$RUNNER_TEMP/baseline-of-$NAME
if ! runs=$(gh run list --repo "$GITHUB_REPOSITORY" --workflow "${workflow##*/}" --branch "$GITHUB_BASE_REF" \
  --event push --status completed --limit 10 --json databaseId --jq '.[].databaseId'); then
  echo "::warning title=bench-rest::cannot list the runs of $GITHUB_BASE_REF: does the job have the permission actions: read?"
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
echo "::notice title=bench-rest::no result of $GITHUB_BASE_REF to compare with: the next push to it uploads one"

#!/usr/bin/env bash
# Writes the report to a comment of the pull request: that of an earlier run, or a new one.
set -euo pipefail
source "$GITHUB_ACTION_PATH/action/inputs.sh"

[[ -f "$REPORT" ]] || exit 0
marker="<!-- bench-rest: $NAME -->"
body=$RUNNER_TEMP/comment-of-$NAME.md
# GitHub refuses a comment of more than 65,536 characters
{
  echo "$marker"
  head -c 65000 "$REPORT"
} >"$body"

comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments
# Anybody can write the marker: whose comment is changed could change the report afterwards
account=$(gh api graphql -f query='{ viewer { databaseId } }' --jq .data.viewer.databaseId) || account=unknown
own='.[] | select((.body | startswith(env.MARKER)) and (.user.id | tostring) == env.ACCOUNT) | .id'
if ! found=$(MARKER=$marker ACCOUNT=$account gh api "$comments" --paginate --jq "$own"); then
  annotate warning "cannot read the comments of the pull request: does the job have the permission pull-requests: write?"
  exit 0
fi
earlier=$(head -n 1 <<<"$found")
if [[ -n "$earlier" ]]; then
  request=(--method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier")
else
  request=(--method POST "$comments")
fi
if ! gh api "${request[@]}" --field "body=@$body" --silent; then
  annotate warning "cannot comment: the job needs the permission pull-requests: write, which a fork does not get"
fi

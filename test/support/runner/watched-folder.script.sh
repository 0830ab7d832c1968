# As a script that is killed: starts what does not mind being asked to end, and waits for it.
. scripts/shell/watched.sh test/support/runner/watched-folder.script.sh
(cd "$watched" && exec env -u WATCHED_FOLDER sh -c "trap '' TERM HUP; sleep 10000; sleep 10000") &
echo "$watched"
wait

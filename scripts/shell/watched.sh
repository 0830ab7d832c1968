# For scripts that start servers or fill folders, which source it with their own name and arguments, in the project's
# folder: they run anew in a folder of their own, $watched. However such a script ends, by SIGKILL too, all that it has
# started ends then, and the folder is removed (watched.ts).
if [[ -z ${WATCHED_FOLDER:-} ]]; then
  exec bin/node scripts/shell/watched.ts "$@"
fi
watched=$WATCHED_FOLDER

#!/bin/sh
# Makes a checked backup in FOLDER, then removes all but the newest KEEP: backup.sh FOLDER [KEEP]
# Firmware images and logs of charge points, which never change, are copied once each into FOLDER/files.
# The secret key is not among them: keep it elsewhere. A PostgreSQL database is backed up where it runs, by its own tools
# (pgBackRest, WAL-G): of its installation only the files are copied here.
set -eu
folder=$1
keep=${2:-14}
umask 077
mkdir -p "$folder"

copy_files() {
  if [ -d "$1" ]; then
    mkdir -p "$folder/files"
    cp -Ru "$1/." "$folder/files/"
  fi
}

case ${PILOTWIRE_DATABASE_URL-} in
  postgres://* | postgresql://*)
    copy_files data/pilotwire.files
    echo 'Only firmware images and logs are copied: back up the PostgreSQL database where it runs.' >&2
    exit 0
    ;;
esac

pilotwire backup "$folder/pilotwire-$(date -u +%Y%m%dT%H%M%SZ).db"

database=${PILOTWIRE_DATABASE_URL#file:}
copy_files "${database#//}.files"

# Reached only after a new one is there. Their names sort by time.
ls -1 "$folder"/pilotwire-????????T??????Z.db | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
  rm -f -- "$old"
done

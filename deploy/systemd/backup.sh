#!/bin/sh
# Makes a checked backup in FOLDER, then removes all but the newest KEEP: backup.sh FOLDER [KEEP]
# Firmware images and logs of charge points, which never change, are copied once each into FOLDER/files.
# The secret key is not among them: keep it elsewhere.
set -eu
folder=$1
keep=${2:-14}
umask 077
mkdir -p "$folder"

pilotwire backup "$folder/pilotwire-$(date -u +%Y%m%dT%H%M%SZ).db"

database=${PILOTWIRE_DATABASE_URL#file:}
if [ -d "${database#//}.files" ]; then
  mkdir -p "$folder/files"
  cp -Ru "${database#//}.files/." "$folder/files/"
fi

# Reached only after a new one is there. Their names sort by time.
ls -1 "$folder"/pilotwire-????????T??????Z.db | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
  rm -f -- "$old"
done

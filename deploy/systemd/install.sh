#!/bin/sh
# Installs this checkout as a service, or puts it in the place of the version that is installed:
#
#   npm ci && npm run build && sudo deploy/systemd/install.sh
#
# Starts nothing. The program before is kept in /opt/pilotwire.previous; settings and data are never changed.
# DESTDIR=FOLDER puts everything below a folder instead and makes no user.
set -eu
root=${DESTDIR:-}
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../..
if [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
  echo "Run this as root: sudo $0" >&2
  exit 1
fi
if [ ! -f "$source/dist/main.js" ]; then
  echo 'The program is not built yet: npm ci && npm run build' >&2
  exit 1
fi

if [ -z "$root" ] && ! id pilotwire >/dev/null 2>&1; then
  useradd --system --user-group --home-dir /var/lib/pilotwire --shell /usr/sbin/nologin pilotwire
fi
own() { if [ -z "$root" ]; then chown "$@"; fi; }

mkdir -p "$root/opt" "$root/etc/pilotwire" "$root/etc/systemd/system" "$root/usr/local/bin" "$root/var/backups/pilotwire"
own pilotwire:pilotwire "$root/var/backups/pilotwire"
chmod 0700 "$root/var/backups/pilotwire"

rm -rf "$root/opt/pilotwire.new"
node "$source/deploy/container/assemble.mjs" "$root/opt/pilotwire.new"
mkdir -p "$root/opt/pilotwire.new/deploy/systemd"
install -m 0755 "$here/backup.sh" "$root/opt/pilotwire.new/deploy/systemd/backup.sh"
rm -rf "$root/opt/pilotwire.previous"
if [ -d "$root/opt/pilotwire" ]; then mv "$root/opt/pilotwire" "$root/opt/pilotwire.previous"; fi
mv "$root/opt/pilotwire.new" "$root/opt/pilotwire"

install -m 0755 "$here/pilotwire" "$root/usr/local/bin/pilotwire"
for unit in pilotwire.service pilotwire-backup.service pilotwire-backup.timer; do
  install -m 0644 "$here/$unit" "$root/etc/systemd/system/$unit"
done
if [ ! -f "$root/etc/pilotwire/environment" ]; then
  install -m 0640 "$here/environment" "$root/etc/pilotwire/environment"
  own root:pilotwire "$root/etc/pilotwire/environment"
fi

cat <<'TEXT'
Installed. Now:
  1. the public address and the rest into /etc/pilotwire/environment
  2. systemctl daemon-reload
  3. systemctl enable --now pilotwire pilotwire-backup.timer    (an upgrade: systemctl restart pilotwire)
  4. pilotwire doctor
The first start leaves login, password and API credential in /var/lib/pilotwire/pilotwire.db.first-start: read it, delete it.
TEXT

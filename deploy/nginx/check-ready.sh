#!/bin/sh
# Asks /ready of each API process once a second, for nginx, which has no health checks in its free edition: while the
# file FOLDER/PORT.down exists, tidegate.conf sends no request to the process on PORT.
#   check-ready.sh FOLDER PORT...
# deploy/systemd/tidegate-ready.service runs it. Without it all processes get requests, and nginx avoids those that
# refuse connections.
set -u
folder=$1
shift
mkdir -p "$folder"

# each process has its own loop, so that one that hangs does not delay the others
check() {
  was=
  late=0
  while :; do
    answer=$(curl --silent --max-time 5 --write-out ' %{http_code}' "http://127.0.0.1:$1/ready")
    # a process that is busy answers late: once is no reason to leave all requests to the others
    if [ $? -eq 28 ]; then late=$((late + 1)); else late=0; fi
    is=$was
    case $answer in
      *' 200') is=ready ;;
      *) if [ $late -ne 1 ] || [ -z "$was" ]; then is='not ready'; fi ;;
    esac
    if [ "$is" = ready ]; then rm -f "$folder/$1.down"; else : > "$folder/$1.down"; fi
    if [ "$is" != "$was" ]; then echo "the process on port $1 is $is: $answer" >&2; fi
    was=$is
    sleep 1
  done
}

trap 'trap - TERM INT; kill 0' TERM INT
for port in "$@"; do
  check "$port" &
done
wait

#!/bin/sh
# The web page, read without a browser: its title, then each file that it loads; and the JavaScript
# client, which a page of your own may load from here.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

page=$(curl -fsS -H 'Accept: text/html' "$url/")
echo "$page" | grep -o '<title>[^<]*</title>'
case $page in
*/ui/*) ;;
*)
    echo "page.sh: SKIPPED the files, because the program was built without the web page"
    exit
    ;;
esac
# these are of the form /ui/HASH/app/main.js; HASH changes if any file of the page does
for file in $(echo "$page" | grep -o '/ui/[0-9a-f]*/[a-z]*/[a-z]*\.[a-z]*'); do
    curl -fsS -o /dev/null -w "%{size_download} B, %{content_type}: $file\n" "$url$file"
done
# the same page, opened at the description of the REST interface
curl -fsS -o /dev/null -H 'Accept: text/html' "$url/docs"
curl -fsS "$url/client/dalembert.js" | grep '^export'

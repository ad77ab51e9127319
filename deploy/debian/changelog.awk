# CHANGELOG.md in the form of a Debian changelog, from the release VERSION back to the first one with
# a date.
#
#   awk -v version=VERSION -v maintainer="NAME <ADDRESS>" -f changelog.awk CHANGELOG.md

function end_release() {
    if (date)
        printf "\n -- %s  %s\n\n", maintainer, date
    date = ""
}

/^## / {
    end_release()
    if ($2 == version)
        wanted = 1
    if (!wanted || NF < 3)
        next
    command = "date -u -R -d " substr($3, 2, length($3) - 2)
    command | getline date
    close(command)
    printf "dalembert (%s) stable; urgency=medium\n", $2
}

date && /^### / { printf "\n  [ %s ]\n", substr($0, 5) }

# an entry, in lines of at most 78 columns
date && /^\* / {
    line = "  *"
    for (i = 2; i <= NF; i++) {
        if (length(line " " $i) > 78) {
            print line
            line = "   "
        }
        line = line " " $i
    }
    print line
}

END { end_release() }

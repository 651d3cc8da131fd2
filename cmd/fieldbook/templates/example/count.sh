# count.sh builtin|process STEPS: counts to STEPS.
i=0
while [ "$i" -lt "$2" ]; do
	case $1 in
	builtin) i=$((i + 1)) ;;
	process) i=$(expr "$i" + 1) ;;
	esac
done

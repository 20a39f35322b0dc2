// mocha --require: the full counts of scale.js, also in child processes, and without a shell that can set a variable; FULL=0
// runs the same tests in small counts
process.env.FULL ??= '1';

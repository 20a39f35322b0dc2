// mocha --require: the full counts of scale.js, also in child processes, and without a shell that can set a variable
process.env.FULL = '1';

/**
 * Made from the rows in this folder by `npm run generate`: change a row, not this file.
 *
 * @import { FieldValue, Stage, StartOptions, Target, ThinkTime, Thresholds, TlsMaterial } from '../../ground/public-types.js'
 *
 * @typedef {object} GivenRunOptions times in ms or as texts such as `'30s'`; counts may be texts such as `'10k'`
 * @property {number | string} [iterations] Number of iterations to run.
 * @property {number | string} [limit] Virtual users: iterations that run concurrently, each on its own connection.
 * @property {number | 'auto'} [workers] Worker threads that send the requests; auto: one per core.
 * @property {number | string} [duration] How long to start iterations, such as 30s; with -n, whichever ends first.
 * @property {boolean} [forever] Run until stopped. Default: `false`.
 * @property {number | string} [rate] Arrival rate: iterations started per second (500, 30/m), regardless of response
 *   times.
 * @property {'constant' | 'poisson'} [arrival] How arrivals are spaced: constant (evenly) or poisson (at random).
 *   Default: `"constant"`.
 * @property {'auto' | 'timer' | 'thread' | 'poll'} [pacing] How to wait for arrivals: timer (1 ms late), thread (0.1
 *   ms, more CPU), poll (a whole core); auto: thread, if a core is free. Default: `"auto"`.
 * @property {number | 'random'} [seed] Random seed of arrivals, pauses, choices, tokens and rows: the same one repeats
 *   a run; random: draws and prints one. Default: `1`.
 * @property {(string | Stage)[]} [stages] Ramp to a rate ('30s:100') or to a number of virtual users ('30s:50c');
 *   repeatable.
 * @property {number | string} [maxBacklog] Due iterations that may wait for a free virtual user; more are dropped.
 * @property {number | string | { duration: number | string, limit?: number }} [warmup] Warm-up: run the flow this long
 *   before measuring, '5s', or '5s:10c' with 10 virtual users; not included in the results.
 * @property {number | string} [rampUp] Start virtual users gradually over this time.
 * @property {ThinkTime} [pause] Think time of a virtual user between iterations: 500ms, or a range such as 500ms,2s.
 * @property {number | string} [ratePerUser] Maximum requests per second of one virtual user.
 * @property {number | string} [maxRequestsPerUser] Maximum requests of one virtual user.
 * @property {number | string} [maxRequests] Maximum requests in total.
 * @property {number | string} [prealloc] Render the requests of this many iterations before the start. Default: `0`.
 * @property {string | { number: number, of: number }} [shard] Run a part of the load, such as 2/3; auto/3 takes the
 *   number from JOB_COMPLETION_INDEX; -n, -c and -r are of all parts.
 * @property {string} [startAt] Start the measured iterations at this time, after before and the warm-up, such as
 *   2026-11-22T12:00:00Z.
 * @property {string} [runId] Name of the run that the shards have in common: bench-rest merge refuses shards of another
 *   one.
 * @property {AbortSignal} [signal] Ends the run early when aborted.
 * @property {Record<string, FieldValue>} [headers] Default headers of every operation.
 * @property {Record<string, string | number> | string | string[]} [cookies] A cookie of every virtual user, name=value;
 *   repeatable.
 * @property {Record<string, string | number | boolean>} [args] A value for #{ARG.name} in the flow, and for a flow that
 *   is a function: ({ args }) => flow; repeatable.
 * @property {string | string[]} [envFiles] File of environment variables for #{env.NAME}: lines NAME=value, as for node
 *   --env-file; repeatable.
 * @property {string | number} [user] User name for basic authentication, or user:password as in curl.
 * @property {string | number} [password] Password for basic authentication.
 * @property {string | string[]} [credentialsFor] Hosts that get the credentials of the run too, when a response or a
 *   redirect leads there; repeatable.
 * @property {number | string} [timeout] Time limit of an operation; 0: none. Default: `30000`.
 * @property {number | string} [gracefulStop] Time that running iterations get to finish after a stop. Default: `30000`.
 * @property {number | string} [teardownTimeout] Time that afterMain and after get after the graceful stop. Default:
 *   `5000`.
 * @property {number | string} [maxBodySize] Maximum size of a response body that is kept for hooks, and of a WebSocket
 *   message, in bytes. Default: `67108864`.
 * @property {number | string} [maxBodyMemory] Maximum memory of all kept bodies together, over all workers, in bytes.
 *   Default: `536870912`.
 * @property {number | string} [maxHeaderSize] Maximum size of a response head, in bytes. Default: `65536`.
 * @property {boolean} [harCookies] Send the cookies of a HAR recording, instead of those that the server sets. Default:
 *   `false`.
 * @property {boolean} [harTiming] Pause between the requests of a HAR recording as long as the recording did. Default:
 *   `false`.
 * @property {number | string} [maxHeaderFields] Maximum number of header fields in a response. Default: `1000`.
 * @property {'builtin' | 'undici'} [httpClient] HTTP client: builtin or undici, see bench-rest list http-clients;
 *   default: builtin.
 * @property {number | string} [pipelining] Requests in flight per connection: this many iterations share it.
 * @property {number | string} [connectTimeout] Time limit for opening a connection; counts towards timeout. Default:
 *   `10000`.
 * @property {number | string} [requestsPerConnection] Open new connections after this many requests of a virtual user.
 * @property {boolean} [dnsCache] Resolve host names for every connection, not once per run. Default: `true`.
 * @property {4 | 6} [family] Connect to addresses of IPv4 or IPv6 only; --ipv4 and --ipv6 are the same.
 * @property {string | string[] | Record<string, { host?: string, port?: number }>} [connectTo] Connect to another host
 *   and port, name:port:host:port (parts may be empty), with Host and TLS name of the URL; repeatable.
 * @property {string} [resolver] Ask this DNS server for the addresses of names, instead of the system and its file of
 *   hosts.
 * @property {boolean} [keepAlive] One request per connection: ask the server to close it after the response. Default:
 *   `true`.
 * @property {string} [socketPath] Unix socket to connect to, whatever the host.
 * @property {boolean} [insecure] Do not verify TLS certificates. Default: `false`.
 * @property {TlsMaterial | TlsMaterial[]} [ca] Trusted certificate authorities, PEM or a file.
 * @property {TlsMaterial | TlsMaterial[]} [cert] Client certificate, PEM or a file.
 * @property {TlsMaterial | TlsMaterial[]} [key] Private key of the client certificate, PEM or a file.
 * @property {TlsMaterial | TlsMaterial[]} [pfx] Client certificate and private key, PKCS #12 or a file.
 * @property {string} [passphrase] Passphrase of the private key.
 * @property {string} [servername] Server name for TLS (SNI); default: the host of the URL.
 * @property {string | number} [tlsMin] Oldest version of TLS to use: 1.0, 1.1, 1.2 (the default) or 1.3.
 * @property {string | number} [tlsMax] Newest version of TLS to use: 1.0, 1.1, 1.2 or 1.3 (the default).
 * @property {string} [ciphers] Cipher suites to use, as OpenSSL names them, separated by colons.
 * @property {string} [proxy] HTTP proxy of all requests, such as http://proxy:3128; '' for none; default: that of the
 *   environment.
 * @property {string} [noProxy] Hosts that are reached without a proxy, instead of NO_PROXY: 'example.com,10.0.0.0/8',
 *   or '*' for all.
 * @property {boolean} [proxyInsecure] Do not verify the TLS certificate of an https:// proxy. Default: `false`.
 * @property {Thresholds} [thresholds] Fail unless this holds, such as 'p99<200ms' or 'errors<1%'; repeatable.
 * @property {boolean} [abortOnFail] Stop as soon as a threshold fails; checked once per second, of many agents up to 2
 *   s apart. Default: `false`.
 * @property {number | string} [abortAfter] With --abort-on-fail: go on for at least this time from the start of the
 *   measured iterations.
 * @property {number | string} [bailout] Stop after this many errors, or this share of failed iterations, such as 5%.
 * @property {boolean} [strict] Refuse every property and option that is unknown, not only those that are likely to be
 *   misspelled. Default: `false`.
 * @property {boolean} [keepGoing] Run even if no connection succeeds in 100 attempts, or the limit of open files is too
 *   low. Default: `true`.
 * @property {number | string | boolean} [progress] Time between progress updates, in ms; 0 or false: none; true: every
 *   second. Default: `0`.
 * @property {boolean} [quiet] Emit no warnings about the flow and the options. Default: `false`.
 * @property {string} [title] Name of the run in its results.
 * @property {(number | string)[]} [percentiles] More percentiles of the response time, such as 99.5; repeatable.
 * @property {number | string} [seriesInterval] Length of an interval of the time series; default: 1s, and less during
 *   the first 16 s.
 * @property {number | string} [expectedInterval] Expected time between iterations of a virtual user; adds times
 *   corrected for coordinated omission.
 * @property {string} [log] Write a line for every request to this file: .ndjson or .csv; see --log-rate.
 * @property {number | string} [logRate] Lines per second of --log at most; above, a random sample is written, and each
 *   line says how many requests it stands for. Default: `10000`.
 * @property {(exchange: any, secrets: () => string[]) => void} [trace] Called with every exchange: its request,
 *   response, error and time; and with a function that returns the secrets in it.
 * @property {string} [baseUrl] Base URL of relative URLs.
 * @property {string | string[] | StartOptions} [start] Start the server with this command, wait until it is ready, and
 *   end it after the run; its port is in PORT.
 * @property {Target} [target] A server or an application of this process, instead of baseUrl; started on a free port if
 *   it is not listening.
 * @property {number | string} [agents] Run on this many agents, which wait for work on other machines (bench-rest
 *   agent); -n, -c and -r are of all.
 * @property {string} [agentsQueue] Where the agents wait: Redis or Valkey, such as redis://host:6379; rediss:// uses
 *   TLS.
 * @property {string} [agentsPool] Use the agents of this pool (default: default).
 * @property {number | string} [agentsTimeout] How long to wait for agents that are not there, or busy (default: 30s).
 * @property {number | string} [agentsMaxLost] Agents that may be lost during the run without failing it.
 * @property {boolean} [agentsReplaceLost] Give the load of agents that are lost to the others, for runs that a time or
 *   Ctrl-C ends.
 * @property {string | string[]} [agentsInclude] A file that code of the flow reads, which is sent to the agents with
 *   it; repeatable.
 *
 * @typedef {object} RunOptions read and checked; times in ms
 * @property {number} [iterations] number of iterations to run
 * @property {number} limit virtual users: iterations that run concurrently, each on its own connection
 * @property {number} [workers] worker threads that send the requests; auto: one per core
 * @property {number} [duration] how long to start iterations, such as 30s; with -n, whichever ends first
 * @property {boolean} forever run until stopped
 * @property {number} [rate] arrival rate: iterations started per second (500, 30/m), regardless of response times
 * @property {'constant' | 'poisson'} arrival how arrivals are spaced: constant (evenly) or poisson (at random)
 * @property {'auto' | 'timer' | 'thread' | 'poll'} pacing how to wait for arrivals: timer (1 ms late), thread (0.1 ms,
 *   more CPU), poll (a whole core); auto: thread, if a core is free
 * @property {number} seed random seed of arrivals, pauses, choices, tokens and rows: the same one repeats a run;
 *   random: draws and prints one
 * @property {import('../../schedule/types.js').Stage[]} [stages] ramp to a rate ('30s:100') or to a number of virtual
 *   users ('30s:50c'); repeatable
 * @property {number} [maxBacklog] due iterations that may wait for a free virtual user; more are dropped
 * @property {{ duration: number, limit?: number }} [warmup] warm-up: run the flow this long before measuring, '5s', or
 *   '5s:10c' with 10 virtual users; not included in the results
 * @property {number} [rampUp] start virtual users gradually over this time
 * @property {import('../../ground/units.js').ThinkTime} [pause] think time of a virtual user between iterations: 500ms,
 *   or a range such as 500ms,2s
 * @property {number} [ratePerUser] maximum requests per second of one virtual user
 * @property {number} [maxRequestsPerUser] maximum requests of one virtual user
 * @property {number} [maxRequests] maximum requests in total
 * @property {number} prealloc render the requests of this many iterations before the start
 * @property {import('./shard.js').Shard} [shard] run a part of the load, such as 2/3; auto/3 takes the number from
 *   JOB_COMPLETION_INDEX; -n, -c and -r are of all parts
 * @property {number} [startAt] start the measured iterations at this time, after before and the warm-up, such as
 *   2026-11-22T12:00:00Z
 * @property {string} [runId] name of the run that the shards have in common: bench-rest merge refuses shards of another
 *   one
 * @property {AbortSignal} [signal] ends the run early when aborted
 * @property {Record<string, unknown>} [headers] default headers of every operation
 * @property {Record<string, string>} [cookies] a cookie of every virtual user, name=value; repeatable
 * @property {Record<string, string | number | boolean>} [args] a value for #{ARG.name} in the flow, and for a flow that
 *   is a function: ({ args }) => flow; repeatable
 * @property {string[]} [envFiles] file of environment variables for #{env.NAME}: lines NAME=value, as for node
 *   --env-file; repeatable
 * @property {string} [user] user name for basic authentication, or user:password as in curl
 * @property {string} [password] password for basic authentication
 * @property {string[]} [credentialsFor] hosts that get the credentials of the run too, when a response or a redirect
 *   leads there; repeatable
 * @property {number} timeout time limit of an operation; 0: none
 * @property {number} gracefulStop time that running iterations get to finish after a stop
 * @property {number} teardownTimeout time that afterMain and after get after the graceful stop
 * @property {number} maxBodySize maximum size of a response body that is kept for hooks, and of a WebSocket message, in
 *   bytes
 * @property {number} maxBodyMemory maximum memory of all kept bodies together, over all workers, in bytes
 * @property {number} maxHeaderSize maximum size of a response head, in bytes
 * @property {boolean} harCookies send the cookies of a HAR recording, instead of those that the server sets
 * @property {boolean} harTiming pause between the requests of a HAR recording as long as the recording did
 * @property {number} maxHeaderFields maximum number of header fields in a response
 * @property {string} [httpClient] HTTP client: builtin or undici, see bench-rest list http-clients; default: builtin
 * @property {number} [pipelining] requests in flight per connection: this many iterations share it
 * @property {number} connectTimeout time limit for opening a connection; counts towards timeout
 * @property {number} [requestsPerConnection] open new connections after this many requests of a virtual user
 * @property {boolean} dnsCache resolve host names for every connection, not once per run
 * @property {4 | 6} [family] connect to addresses of IPv4 or IPv6 only; --ipv4 and --ipv6 are the same
 * @property {Record<string, { host?: string, port?: number }>} [connectTo] connect to another host and port,
 *   name:port:host:port (parts may be empty), with Host and TLS name of the URL; repeatable
 * @property {string} [resolver] ask this DNS server for the addresses of names, instead of the system and its file of
 *   hosts
 * @property {boolean} keepAlive one request per connection: ask the server to close it after the response
 * @property {string} [socketPath] unix socket to connect to, whatever the host
 * @property {boolean} insecure do not verify TLS certificates
 * @property {TlsMaterial | TlsMaterial[]} [ca] trusted certificate authorities, PEM or a file
 * @property {TlsMaterial | TlsMaterial[]} [cert] client certificate, PEM or a file
 * @property {TlsMaterial | TlsMaterial[]} [key] private key of the client certificate, PEM or a file
 * @property {TlsMaterial | TlsMaterial[]} [pfx] client certificate and private key, PKCS #12 or a file
 * @property {string} [passphrase] passphrase of the private key
 * @property {string} [servername] server name for TLS (SNI); default: the host of the URL
 * @property {string | number} [tlsMin] oldest version of TLS to use: 1.0, 1.1, 1.2 (the default) or 1.3
 * @property {string | number} [tlsMax] newest version of TLS to use: 1.0, 1.1, 1.2 or 1.3 (the default)
 * @property {string} [ciphers] cipher suites to use, as OpenSSL names them, separated by colons
 * @property {string} [proxy] HTTP proxy of all requests, such as http://proxy:3128; '' for none; default: that of the
 *   environment
 * @property {string} [noProxy] hosts that are reached without a proxy, instead of NO_PROXY: 'example.com,10.0.0.0/8',
 *   or '*' for all
 * @property {boolean} proxyInsecure do not verify the TLS certificate of an https:// proxy
 * @property {any} [thresholds] fail unless this holds, such as 'p99<200ms' or 'errors<1%'; repeatable
 * @property {boolean} abortOnFail stop as soon as a threshold fails; checked once per second, of many agents up to 2 s
 *   apart
 * @property {number} [abortAfter] with --abort-on-fail: go on for at least this time from the start of the measured
 *   iterations
 * @property {number | string} [bailout] stop after this many errors, or this share of failed iterations, such as 5%
 * @property {boolean} strict refuse every property and option that is unknown, not only those that are likely to be
 *   misspelled
 * @property {boolean} keepGoing run even if no connection succeeds in 100 attempts, or the limit of open files is too
 *   low
 * @property {number} progress time between progress updates, in ms; 0 or false: none; true: every second
 * @property {boolean} quiet emit no warnings about the flow and the options
 * @property {string} [title] name of the run in its results
 * @property {number[]} [percentiles] more percentiles of the response time, such as 99.5; repeatable
 * @property {number} [seriesInterval] length of an interval of the time series; default: 1s, and less during the first
 *   16 s
 * @property {number} [expectedInterval] expected time between iterations of a virtual user; adds times corrected for
 *   coordinated omission
 * @property {string} [log] write a line for every request to this file: .ndjson or .csv; see --log-rate
 * @property {number} logRate lines per second of --log at most; above, a random sample is written, and each line says
 *   how many requests it stands for
 * @property {(exchange: any, secrets: () => string[]) => void} [trace] called with every exchange: its request,
 *   response, error and time; and with a function that returns the secrets in it
 * @property {string} [baseUrl] base URL of relative URLs
 * @property {import('./target.js').Start} [start] start the server with this command, wait until it is ready, and end
 *   it after the run; its port is in PORT
 * @property {Target} [target] a server or an application of this process, instead of baseUrl; started on a free port if
 *   it is not listening
 * @property {number} [agents] run on this many agents, which wait for work on other machines (bench-rest agent); -n, -c
 *   and -r are of all
 * @property {string} [agentsQueue] where the agents wait: Redis or Valkey, such as redis://host:6379; rediss:// uses
 *   TLS
 * @property {string} [agentsPool] use the agents of this pool (default: default)
 * @property {number} [agentsTimeout] how long to wait for agents that are not there, or busy (default: 30s)
 * @property {number} [agentsMaxLost] agents that may be lost during the run without failing it
 * @property {boolean} [agentsReplaceLost] give the load of agents that are lost to the others, for runs that a time or
 *   Ctrl-C ends
 * @property {string[]} [agentsInclude] a file that code of the flow reads, which is sent to the agents with it;
 *   repeatable
 * @property {Record<string, string>} variables derived from envFiles
 * @property {any} [minVersion] tlsMin, for connections
 * @property {any} [maxVersion] tlsMax, for connections
 * @property {number} [iterationsOfLane] derived from maxRequestsPerUser: iterations of one lane
 * @property {import('../../http/proxy.js').ProxySettings} proxies derived from proxy, noProxy and the environment
 */
export {};

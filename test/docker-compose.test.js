import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { COMMANDS } from '../lib/core/cli/commands/index.js';
import { ROOT, command } from './support/command.js';

const textOf = (name) => readFileSync(join(ROOT, name), 'utf8');

describe('examples/docker-compose.yaml', () => {
  const text = textOf('examples/docker-compose.yaml');
  const { services } = parse(text);
  const own = Object.entries(services).filter(([, { build }]) => build !== undefined);
  const valueOf = (words, flag) => words[words.indexOf(flag) + 1];

  it('has Redis, a target, three agents and a run', () => {
    expect(services).to.have.all.keys('redis', 'target', 'agent', 'run');
    expect(services.agent.deploy.replicas).to.equal(3);
  });

  it('agents and run are built from the Dockerfile, whose entry point is the command', () => {
    expect(own.map(([name]) => name)).to.deep.equal(['agent', 'run']);
    for (const [, { build }] of own)
      expect(join(ROOT, 'examples', build, 'Dockerfile')).to.equal(join(ROOT, 'Dockerfile'));
    expect(textOf('Dockerfile')).to.include('ENTRYPOINT ["bench-rest"]');
  });

  it('an agent is a command, and its flags are in its help', async () => {
    const [name, ...words] = services.agent.command;
    expect(COMMANDS.map((one) => one.name)).to.include(name);
    const { stdout } = await command([name, '--help']);
    for (const flag of words.filter((word) => word.startsWith('-'))) expect(stdout).to.include(flag);
  });

  it('the flags of the run are in the help', async () => {
    const { stdout } = await command(['--help-all']);
    for (const flag of services.run.command.filter((word) => word.startsWith('-'))) expect(stdout).to.include(flag);
  });

  it('agents and run have the same queue and pool, and there are enough agents', () => {
    const [agent, run] = [services.agent.command, services.run.command];
    for (const name of ['queue', 'pool'])
      expect(valueOf(run, `--agents-${name}`)).to.equal(valueOf(agent, `--${name}`));
    expect(Number(valueOf(run, '--agents'))).to.equal(services.agent.deploy.replicas);
  });

  it('hosts are services, with the ports of their images', () => {
    const queue = new URL(valueOf(services.run.command, '--agents-queue'));
    expect(services).to.have.property(queue.hostname);
    expect({ host: queue.hostname, port: queue.port }).to.deep.equal({ host: 'redis', port: '6379' });
    const target = new URL(services.run.command.at(-1));
    expect(services).to.have.property(target.hostname);
    expect(services[target.hostname].expose).to.deep.equal([target.port || '80']);
  });

  it('Redis loses no key, and its port stays in the network', () => {
    expect(valueOf(services.redis.command, '--maxmemory-policy')).to.equal('noeviction');
    for (const { ports } of Object.values(services)) expect(ports).to.equal(undefined);
  });

  it('agents and run wait until Redis is healthy', () => {
    for (const [, { depends_on: needs }] of own) expect(needs.redis.condition).to.equal('service_healthy');
    expect(services.redis.healthcheck.test).to.deep.equal(['CMD', 'redis-cli', 'ping']);
  });

  it('the comment has commands for it', () => {
    for (const line of text.match(/^# {3}docker compose .*$/gm))
      expect(line).to.include('-f examples/docker-compose.yaml');
    expect(text).to.include('--scale agent=3');
  });
});

/** Two database machines and their etcd as deploy/postgres has them, on this machine: other addresses and folders. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import { freePort } from '../free-port.ts'
import { until } from '../house.ts'
import { findBinaries, unprivileged } from './server.ts'

const run = promisify(execFile)
const PROGRAMS = ['patroni', 'patronictl', 'etcd', 'pgbackrest']

/** All of them, as Debian packages them, and PostgreSQL with its tools. */
export function hasPatroni(): boolean {
  const found = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  return PROGRAMS.every(found) && spawnSync(join(bin(), 'pg_basebackup'), ['--version']).status === 0
}

const bin = (): string => dirname(findBinaries().postgres)

interface PatroniConfig {
  name: string
  readonly restapi: { listen: string; connect_address: string }
  readonly etcd3: { hosts: readonly string[] }
  readonly bootstrap: { readonly dcs: { ttl: number; loop_wait: number; retry_timeout: number } }
  readonly postgresql: {
    listen: string
    connect_address: string
    data_dir: string
    bin_dir: string
    pgpass: string
    pg_hba: readonly string[]
    readonly authentication: { readonly superuser: { readonly username: string; readonly password: string } }
    readonly parameters: { unix_socket_directories: string }
  }
}

export interface Member {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly folder: string
  /** Of its database `postgres`, for the superuser. */
  readonly url: string
  readonly environment: Readonly<Record<string, string>>
}

export interface PatroniCluster {
  readonly members: readonly Member[]
  readonly leader: () => Promise<Member>
  /** Hands over to the other one. */
  readonly switchOver: () => Promise<void>
  readonly pgbackrest: (args: readonly string[]) => Promise<void>
  close(): void
}

export async function startPatroni(folder: string): Promise<PatroniCluster> {
  const user = unprivileged()
  const own = (path: string): string => {
    mkdirSync(path, { mode: 0o700, recursive: true })
    if (user) chownSync(path, user.uid, user.gid)
    return path
  }
  own(folder)
  const processes: ChildProcess[] = []
  const start = (program: string, args: readonly string[], environment: Readonly<Record<string, string>>): void => {
    const env = { PATH: process.env.PATH, PYTHONPATH: process.env.PYTHONPATH, HOME: folder, ...environment }
    processes.push(spawn(program, args, { ...user, cwd: folder, env, stdio: 'ignore' }))
  }
  const [client, peer] = [await freePort(), await freePort()]
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  start(
    'etcd',
    [
      ...['--data-dir', own(join(folder, 'etcd')), '--listen-client-urls', clientUrl],
      ...['--advertise-client-urls', clientUrl, '--listen-peer-urls', peerUrl],
      ...['--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `default=${peerUrl}`],
    ],
    {},
  )
  const backups = writeBackupConfig(own, folder)
  const members: Member[] = []
  for (const name of ['db1', 'db2']) members.push(await writeMember(own, folder, name, client, backups))
  for (const { name, environment } of members) start('patroni', [join(folder, `${name}.yml`)], environment)

  const answers = async (member: Member, path: string): Promise<boolean> =>
    fetch(`http://127.0.0.1:${member.restPort}${path}`).then(
      ({ ok }) => ok,
      () => false,
    )
  const leader = async (): Promise<Member> => {
    for (const member of members) if (await answers(member, '/primary')) return member
    throw new Error('There is no leader.')
  }
  const followsInStep = async (): Promise<void> => {
    for (let waited = 0; ; waited++) {
      const [followers, leaders] = await Promise.all([
        Promise.all(members.map((member) => answers(member, '/synchronous'))),
        Promise.all(members.map((member) => answers(member, '/primary'))),
      ])
      if (followers.includes(true) && leaders.includes(true)) return
      if (waited > 600) throw new Error('The second machine does not follow the first.')
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const env = (member: Member) => ({
    PATH: process.env.PATH,
    PYTHONPATH: process.env.PYTHONPATH,
    ...member.environment,
  })
  const close = (): void => {
    for (const child of processes) child.kill('SIGTERM')
  }
  await followsInStep().catch((error: unknown) => {
    close()
    throw error
  })
  return {
    close,
    members,
    leader,
    async switchOver() {
      const before = await leader()
      const args = ['-c', join(folder, `${before.name}.yml`), 'switchover', 'pilotwire', '--leader', before.name]
      await run('patronictl', [...args, '--force'], { ...user, cwd: folder, env: { ...env(before), HOME: folder } })
      await until(async () => (await leader().catch(() => before)) !== before)
      await followsInStep()
    },
    async pgbackrest(args) {
      await run('pgbackrest', ['--stanza=pilotwire', ...args], { ...user, cwd: folder, env: env(await leader()) })
    },
  }
}

/** @returns where it is */
function writeBackupConfig(own: (path: string) => string, folder: string): string {
  const path = join(folder, 'pgbackrest.conf')
  const moved = readFileSync('deploy/postgres/pgbackrest.conf', 'utf8').replace(
    /^(repo1-path|log-path|lock-path|spool-path)=.*$/gm,
    (_, name: string) => `${name}=${own(join(folder, name))}`,
  )
  writeFileSync(path, moved)
  return path
}

async function writeMember(
  own: (path: string) => string,
  folder: string,
  name: string,
  etcdPort: number,
  backups: string,
): Promise<Member> {
  const config = parse(readFileSync('deploy/postgres/patroni.yml', 'utf8')) as PatroniConfig
  const { restapi, etcd3, bootstrap, postgresql } = config
  const [port, restPort] = [await freePort(), await freePort()]
  config.name = name
  restapi.listen = restapi.connect_address = `127.0.0.1:${restPort}`
  etcd3.hosts = [`127.0.0.1:${etcdPort}`]
  // A machine that is busy with other tests, and no patience for one that is not.
  Object.assign(bootstrap.dcs, { ttl: 60, loop_wait: 1, retry_timeout: 20 })
  const place = own(join(folder, name))
  postgresql.listen = postgresql.connect_address = `127.0.0.1:${port}`
  postgresql.data_dir = join(place, 'data')
  postgresql.bin_dir = bin()
  postgresql.pgpass = join(place, 'pgpass')
  postgresql.pg_hba = postgresql.pg_hba.map((line) =>
    line.replace('10.0.0.0/24', '127.0.0.1/32').replace('peer', 'trust'),
  )
  postgresql.parameters.unix_socket_directories = place
  const file = join(folder, `${name}.yml`)
  writeFileSync(file, stringify(config))
  const { username, password } = postgresql.authentication.superuser
  return {
    name,
    port,
    restPort,
    folder: place,
    url: `postgres://${username}:${password}@127.0.0.1:${port}/postgres`,
    environment: {
      PGBACKREST_CONFIG: backups,
      PGBACKREST_PG1_PATH: postgresql.data_dir,
      PGBACKREST_PG1_PORT: String(port),
      PGBACKREST_PG1_SOCKET_PATH: place,
      PGBACKREST_PG1_USER: username,
    },
  }
}

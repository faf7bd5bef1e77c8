import { needsPassword } from '../../application/charge-points/password.ts'
import { changeChargePoint, registerChargePoint, registrationFaults } from '../../application/charge-points/register.ts'
import { checkedName } from '../../domain/accounts/user.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { ChargePoint, ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuseFaults } from '../../domain/refuse.ts'
import { everyRow } from '../../domain/selector.ts'
import { generatePassword } from '../../ocpp/credentials.ts'
import { PROTOCOLS } from '../../ocpp/versions.ts'
import { type CliContext, orFail } from './cli-context.ts'
import { commandGroup, OF_ACCOUNT, PASSWORD } from './declare.ts'
import { type AccountOption, changeAccount, givenPassword, listOfAccount, type PasswordOptions } from './options.ts'
import { type JsonOption, membersOf, type Printable, printObject } from './output/print.ts'

type AddOptions = {
  name?: string | undefined
  securityProfile: keyof typeof profiles
  protocol?: readonly string[] | undefined
  validation?: NonNullable<ChargePoint['validation']> | undefined
} & PasswordOptions &
  AccountOption &
  JsonOption

type ApproveOptions = { securityProfile?: keyof typeof profiles } & PasswordOptions & AccountOption & JsonOption

type SetPasswordOptions = PasswordOptions & AccountOption & JsonOption

const profiles = { '0': 0, '1': 1, '2': 2, '3': 3 } as const
const PROFILE = [
  '--security-profile <profile>',
  '0: no password, 1: password, 2: password over TLS only, 3: certificate',
] as const

export const register = commandGroup('charge-point', 'charging stations that may connect', [
  {
    usage: 'add <id>',
    does: 'register a charge point; a password that is not given is generated and printed once',
    takes: [
      ['--name <name>', 'name shown to people'],
      [...PROFILE, { choices: Object.keys(profiles), default: '1' }],
      ['--protocol <protocol...>', 'allow only these', { choices: PROTOCOLS }],
      ['--validation <kind>', 'how strictly its messages are judged', { choices: ['strict', 'lenient', 'off'] }],
      ...PASSWORD,
      ...OF_ACCOUNT,
    ],
    examples: [
      'pilotwire charge-point add EV-001 --name "North entrance"',
      'pilotwire charge-point add EV-002 --security-profile 2 --protocol ocpp2.0.1 --json',
    ],
    run: add,
  },
  {
    usage: 'list',
    does: 'list the charge points of an account',
    takes: OF_ACCOUNT,
    examples: ['pilotwire charge-point list'],
    run: listOfAccount(allChargePoints, shownView, [
      'id',
      'name',
      'securityProfile',
      'registrationStatus',
      'protocol',
      'vendor',
      'model',
      'lastSeenAt',
    ]),
  },
  {
    usage: 'approve <id>',
    does: 'approve a charge point that waits for it; a password that is needed is generated and printed once',
    takes: [[...PROFILE, { choices: Object.keys(profiles) }], ...PASSWORD, ...OF_ACCOUNT],
    examples: ['pilotwire charge-point approve EV-003'],
    run: approve,
  },
  {
    usage: 'set-password <id>',
    does: 'set a new password, or generate one and print it once; the old one is invalid at once',
    takes: [...PASSWORD, ...OF_ACCOUNT],
    examples: ['pilotwire charge-point set-password EV-001'],
    run: setPassword,
  },
])

async function add(context: CliContext, id: string, options: AddOptions): Promise<Printable> {
  const registration = {
    id,
    password: givenPassword(options),
    securityProfile: profiles[options.securityProfile],
    name: options.name === undefined ? undefined : checkedName(options.name),
    protocols: options.protocol,
    validation: options.validation,
  }
  const faults = registrationFaults(registration)
  if (faults.length > 0) orFail(refuseFaults(faults), hintsOf(id))
  return changeAccount(context, options, async (access) => {
    const { accountId, config } = access
    const registered = await registerChargePoint({ ...access, settings: config }, { ...registration, accountId })
    const { view, password } = orFail(registered, hintsOf(id))
    return { ...shown(view), password, url: ocppUrl(config.baseUrl, id) }
  })
}

/** OCPP-AU5: approved without a password, the identity would be open to everybody who knows it. */
async function approve(context: CliContext, id: string, options: ApproveOptions): Promise<void> {
  const given = givenPassword(options)
  await changeAccount(context, options, async (access) => {
    const before = orFail(await chargePointOf(access, id), hintsOf(id))
    if (before.registrationStatus === 'Accepted') {
      throw new Error(`${id} is accepted already: pilotwire charge-point set-password ${id} gives it a new password`)
    }
    const securityProfile =
      options.securityProfile === undefined ? before.securityProfile : profiles[options.securityProfile]
    const needed = given === undefined && needsPassword(securityProfile) && before.passwordHash === undefined
    const generated = needed ? generatePassword(context.random) : undefined
    const password = given ?? generated
    const change = { registrationStatus: 'Accepted', securityProfile, password } as const
    const { config } = access
    const changed = orFail(await changeChargePoint({ ...access, settings: config }, before, change), hintsOf(id))
    printObject(context, { ...shown(changed), password: generated, url: ocppUrl(config.baseUrl, id) }, options.json)
    context.note(
      `Its next BootNotification is answered Accepted.${password === undefined ? '' : ` ${WHERE_TO_SET_IT}`}`,
    )
  })
}

const WHERE_TO_SET_IT =
  'Set the password in the station, as AuthorizationKey (OCPP 1.6) or BasicAuthPassword (2.0.1): without it its next connection is answered 401.'

/** Development's security profile 0 asks for no password: one that is set is meant to be needed. */
async function setPassword(context: CliContext, id: string, options: SetPasswordOptions): Promise<void> {
  const given = givenPassword(options)
  await changeAccount(context, options, async (access) => {
    const before = orFail(await chargePointOf(access, id), hintsOf(id))
    const raised = before.securityProfile === 0
    const password = given ?? generatePassword(context.random)
    const change = { password, securityProfile: raised ? (1 as const) : undefined }
    const changed = await changeChargePoint({ ...access, settings: access.config }, before, change)
    const shownPassword = given === undefined ? password : undefined
    printObject(context, { ...shown(orFail(changed, hintsOf(id))), password: shownPassword }, options.json)
    if (raised) context.note('It could connect without a password so far; its security profile is 1 now.')
    context.note('A connection that is open now stays open; its next sign-in needs the new password.')
  })
}

async function chargePointOf(
  { reads, accountId }: { readonly reads: Reads; readonly accountId: string },
  id: string,
): Promise<ChargePointView | Refusal> {
  const found = await reads.findChargePoint(id)
  return found?.accountId === accountId ? found : noSuch('charge point')
}

function hintsOf(id: string): Readonly<Record<string, string>> {
  return {
    charge_point_exists: `There is a charge point ${id} already: see pilotwire charge-point list`,
    charge_point_differs_in_case: `There is a charge point whose id differs from ${id} only in upper and lower case: choose another id.`,
    not_found: `There is no charge point ${id} in this account: see pilotwire charge-point list`,
    password_not_used:
      'A password is not used with security profiles 0 and 3: leave it out, or choose --security-profile 1.',
  }
}

export function allChargePoints(reads: Reads, accountId: string): Promise<readonly ChargePointView[]> {
  return everyRow((last, limit) => reads.listChargePoints(accountId, { limit, afterId: last?.id }))
}

export function ocppUrl(baseUrl: string, id: string): string {
  return `${baseUrl.replace(/^http/, 'ws')}/ocpp/${encodeURIComponent(id)}`
}

function shown(chargePoint: ChargePoint): Printable {
  return membersOf(chargePoint, [
    'id',
    'name',
    'securityProfile',
    'protocols',
    'validation',
    'registrationStatus',
    'createdAt',
  ])
}

function shownView(view: ChargePointView): Printable {
  const reported = ['protocol', 'vendor', 'model', 'serialNumber', 'firmwareVersion', 'lastSeenAt'] as const
  return { ...shown(view), ...membersOf(view.status, reported) }
}

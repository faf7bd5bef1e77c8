/**
 * Whose each kind of object is, and what every operation of the API does to it (OIDC-C14); of a declared resource that
 * stands in its declaration (domain/resources/resource.ts), which feeds this table. Who may call an operation,
 * and what happens to an application that names an object of another, follow from this table alone: an operation that
 * is not in it does not compile, and neither does one that changes an ordered object without saying which (`holds`).
 */
import { ORDERING_SCOPES } from '../../application/bulk-orders/right.ts'
import type { Scope } from '../../domain/accounts/scopes.ts'
import { RESOURCES } from '../../domain/resources/all-resources.ts'
import { type Act, nounOf, type OperationIdOf, operationId, type Resource } from '../../domain/resources/resource.ts'
import { notFound, Problem } from '../respond.ts'
import {
  type Access,
  type AccountOnly,
  anyone,
  credentialOnly,
  needsAnyScope,
  needsScope,
  type Principal,
} from './access.ts'

type Calls<By extends Access = Access> = readonly [by: By, ...operations: string[]]

/** `order` makes an object of its own and touches none that is there; `change` replaces, changes or ends one. */
type ObjectRights =
  | { readonly owner: 'anyone'; readonly read: Calls; readonly change?: Calls }
  /** The account's: an application may read it, or order something of it, but never change it. */
  | { readonly owner: 'account'; readonly read?: Calls; readonly order?: Calls; readonly change?: Calls<AccountOnly> }
  /** Of who ordered it, the account or an application; another application reads it, and is refused a change (403). */
  | { readonly owner: 'orderer'; readonly read?: Calls; readonly order?: Calls; readonly change: Calls }
  /** The same, and another application does not know of it (404). */
  | { readonly owner: 'maker'; readonly read?: Calls; readonly order?: Calls; readonly change: Calls }
  /** A user's, who changes it on the dashboard as well (`oidc/grants`). */
  | { readonly owner: 'user'; readonly read: Calls; readonly change: Calls }

const reads = needsScope('chargers:read')
const readsSessions = needsScope('sessions:read')
const controls = needsScope('chargers:control')
const configures = needsScope('chargers:configure')
const updates = needsScope('chargers:firmware')
const certifies = needsScope('chargers:certificates')
const subscribes = needsScope('webhooks:manage', 'sessions:read')
const ordersMany = needsAnyScope(ORDERING_SCOPES)
const ownGrant = needsScope()
const credentialWith = (covered: Scope): AccountOnly => ({ kind: 'credential', covered })

const OBJECTS = {
  session: {
    owner: 'account',
    read: [readsSessions, 'getSession', 'getSessionV2', 'listSessions', 'getSignedData', 'getSignedDataV2'],
    order: [controls, 'startSession', 'stopSession'],
    change: [credentialOnly, 'changeSession', 'settleSession'],
  },
  'web payment': { owner: 'account', order: [credentialOnly, 'startWebPayment'] },
  'session timeline': { owner: 'account', read: [needsScope('sessions:read', 'chargers:read'), 'getSessionTimeline'] },
  'charge point': {
    owner: 'account',
    read: [reads, 'listEvseControllers', 'getEvseController', 'getChargePointTimeline', 'listEventsOfEvseController'],
    change: [credentialOnly, 'createEvseController', 'changeEvseController', 'deleteEvseController'],
  },
  command: {
    owner: 'account',
    read: [reads, 'countMethods', 'getCommand', 'searchCommands'],
    order: [controls, 'sendCommand'],
  },
  'command of version 1': { owner: 'account', read: [credentialWith('chargers:read'), 'searchCommandsV1'] },
  intent: { owner: 'account', read: [reads, 'listIntents', 'listIntentsOfEvseController'] },
  variable: { owner: 'account', read: [reads, 'listVariables', 'listVariablesOfEvseController'] },
  uptime: { owner: 'account', read: [reads, 'listUptime'] },
  report: { owner: 'account', read: [configures, 'getReportOfEvseController'], order: [configures, 'orderReport'] },
  log: {
    owner: 'account',
    read: [updates, 'listLogs', 'getLog', 'getLogFile'],
    order: [updates, 'requestLog'],
  },
  'certificate request': {
    owner: 'account',
    read: [certifies, 'listCertificateRequests', 'listCertificateAuthorities'],
    order: [certifies, 'answerCertificateRequest'],
  },
  certificate: {
    owner: 'orderer',
    read: [certifies, 'listCertificates'],
    order: [certifies, 'installCertificate'],
    change: [certifies, 'deleteCertificate'],
  },
  'security profile job': {
    owner: 'orderer',
    read: [certifies, 'getSecurityProfileJob'],
    order: [certifies, 'raiseSecurityProfile'],
    change: [certifies, 'cancelSecurityProfileJob'],
  },
  limit: {
    owner: 'orderer',
    read: [controls, 'listLimits', 'getLimit'],
    change: [controls, 'putLimit', 'deleteLimit'],
  },
  'charging profile': {
    owner: 'orderer',
    read: [controls, 'listChargingProfiles', 'getCompositeSchedule'],
    change: [controls, 'postChargingProfile', 'clearChargingProfiles'],
  },
  'limit group': {
    owner: 'orderer',
    read: [controls, 'listLimitGroups', 'getLimitGroup', 'getLimitGroupStatus', 'getLimitGroupHistory'],
    change: [
      controls,
      'putLimitGroup',
      'deleteLimitGroup',
      'putLimitGroupLoad',
      'putExternalLimit',
      'deleteExternalLimit',
    ],
  },
  reservation: {
    owner: 'orderer',
    read: [controls, 'getReservation'],
    order: [controls, 'createReservation'],
    change: [controls, 'cancelReservation'],
  },
  'display message': {
    owner: 'orderer',
    read: [controls, 'listDisplayMessages', 'getDisplayMessage'],
    change: [controls, 'putDisplayMessage', 'deleteDisplayMessage'],
  },
  configuration: {
    owner: 'orderer',
    read: [configures, 'listConfigurations', 'getConfiguration', 'getConfigurationStatus'],
    change: [configures, 'putConfiguration', 'deleteConfiguration'],
  },
  'set of monitors': {
    owner: 'orderer',
    read: [reads, 'listMonitors', 'getMonitors', 'getMonitorsStatus'],
    change: [configures, 'putMonitors', 'deleteMonitors'],
  },
  'local list': {
    owner: 'orderer',
    read: [configures, 'listLocalLists', 'getLocalList', 'getLocalListStatus'],
    change: [configures, 'putLocalList', 'deleteLocalList'],
  },
  'customer information': {
    owner: 'maker',
    order: [controls, 'orderCustomerInformation'],
    // Reading takes it: it is there once.
    change: [controls, 'getCustomerInformation'],
  },
  firmware: {
    owner: 'orderer',
    read: [updates, 'listFirmware', 'getFirmware'],
    order: [updates, 'createFirmware'],
    change: [updates, 'deleteFirmware'],
  },
  'firmware campaign': {
    owner: 'maker',
    read: [updates, 'listFirmwareCampaigns', 'getFirmwareCampaign'],
    order: [updates, 'createFirmwareCampaign'],
    change: [
      updates,
      'startFirmwareCampaign',
      'pauseFirmwareCampaign',
      'resumeFirmwareCampaign',
      'cancelFirmwareCampaign',
    ],
  },
  'bulk order': {
    owner: 'maker',
    read: [ordersMany, 'listBulkOrders', 'getBulkOrder'],
    order: [ordersMany, 'createBulkOrder'],
    change: [ordersMany, 'cancelBulkOrder'],
  },
  webhook: {
    owner: 'maker',
    read: [subscribes, 'listWebhooks', 'getWebhook', 'listDeliveries', 'getDelivery'],
    order: [subscribes, 'createWebhook'],
    change: [
      subscribes,
      'changeWebhook',
      'deleteWebhook',
      'rotateWebhookSecret',
      'enableWebhook',
      'redeliver',
      'replayDeliveries',
      'testWebhook',
    ],
  },
  event: { owner: 'account', read: [readsSessions, 'listEvents'] },
  grant: {
    owner: 'user',
    read: [ownGrant, 'listGrants', 'getGrant'],
    change: [ownGrant, 'revokeGrant'],
  },
  'selection of a grant': {
    owner: 'account',
    change: [
      {
        kind: 'credential',
        refusal: ['user_required', 'An application cannot change what is shared with it: the user does.'],
      },
      'changeGrant',
    ],
  },
  'station model': {
    owner: 'account',
    change: [credentialWith('chargers:configure'), 'putStationModel', 'getStationModel', 'deleteStationModel'],
  },
  'id token': {
    owner: 'account',
    change: [
      credentialOnly,
      'listIdTokens',
      'createIdToken',
      'importIdTokens',
      'getIdToken',
      'changeIdToken',
      'deleteIdToken',
    ],
  },
  user: { owner: 'account', change: [credentialOnly, 'listUsers', 'createUser', 'getUser', 'changeUser'] },
  'audit entry': { owner: 'account', read: [credentialOnly, 'listAudit'] },
  account: { owner: 'account', change: [credentialOnly, 'getAccount', 'changeAccount'] },
  alert: {
    owner: 'account',
    change: [
      credentialOnly,
      'listAlertRules',
      'createAlertRule',
      'getAlertRule',
      'changeAlertRule',
      'replaceAlertRule',
      'deleteAlertRule',
      'testAlertRule',
      'listAlerts',
      'acknowledgeAlert',
    ],
  },
  'sent report': {
    owner: 'account',
    change: [credentialOnly, 'listReports', 'putReport', 'getReport', 'deleteReport'],
  },
  'data transfer': {
    owner: 'account',
    change: [credentialOnly, 'putDataTransfer', 'getDataTransfer', 'deleteDataTransfer'],
  },
  location: {
    owner: 'account',
    read: [reads, 'listLocations', 'getLocation', 'exportLocations'],
    change: [credentialOnly, 'putLocation', 'changeLocation', 'deleteLocation', 'importLocations'],
  },
  price: { owner: 'account', change: [credentialOnly, 'quoteTariff', 'getPublicPrice'] },
  site: { owner: 'account', change: [credentialOnly, 'listSites', 'placeSite', 'getSite', 'unplaceSite'] },
  'password rotation': {
    owner: 'account',
    change: [
      credentialOnly,
      'createPasswordRotation',
      'listPasswordRotations',
      'getPasswordRotation',
      'cancelPasswordRotation',
    ],
  },
  node: { owner: 'account', read: [credentialOnly, 'listNodes'] },
  'roaming partner': {
    owner: 'account',
    change: [
      credentialOnly,
      'getOcpiParty',
      'putOcpiParty',
      'listPartners',
      'createPartner',
      'getPartner',
      'changePartner',
      'deletePartner',
      'rotatePartnerTokens',
      'listPartnerExchanges',
      'replayPartnerExchange',
    ],
  },
  file: {
    owner: 'anyone',
    read: [anyone, 'getFile', 'readAuthority'],
    change: [anyone, 'putFile', 'postFile', 'putFileNamed', 'postFileNamed'],
  },
  server: { owner: 'anyone', read: [anyone, 'health', 'readiness', 'metrics', 'protectedResource'] },
} as const satisfies Readonly<Record<string, ObjectRights>>

type Objects = typeof OBJECTS
type Names<Called> = Called extends readonly [unknown, ...infer Operations extends readonly string[]]
  ? Operations[number]
  : never
type Acts<Kind> = { [Act in keyof Kind]: Names<Kind[Act]> }[keyof Kind]

export type OperationId =
  | { [Kind in keyof Objects]: Acts<Objects[Kind]> }[keyof Objects]
  | OperationIdOf<(typeof RESOURCES)[number]>

export type ChangingOperation = {
  [Kind in keyof Objects]: Objects[Kind] extends { readonly owner: 'orderer' | 'maker'; readonly change: infer Called }
    ? Names<Called>
    : never
}[keyof Objects]

export interface Right {
  readonly kind: string
  readonly owner: ObjectRights['owner']
  readonly act: 'read' | 'order' | 'change'
  readonly access: Access
}

function declared(of: Resource): readonly [kind: string, rights: ObjectRights] {
  const ids = Object.keys(of.operations).map((act) => operationId(of, act as Act))
  return [nounOf(of), { owner: of.rights.owner, change: [credentialOnly, ...ids] }]
}

export const RIGHTS: Readonly<Record<OperationId, Right>> = Object.fromEntries(
  [...Object.entries<ObjectRights>(OBJECTS), ...RESOURCES.map(declared)].flatMap(([kind, { owner, ...acts }]) =>
    Object.entries<Calls>(acts).flatMap(([act, [access, ...operations]]) =>
      operations.map((operation) => [operation, { kind, owner, act, access }]),
    ),
  ),
) as Record<OperationId, Right>

export interface Ordered {
  readonly grantId?: string | undefined
}

/** OIDC-C14. @throws Problem 403, or 404 where another application does not know of the object */
export function requireHeld(principal: Principal, operation: OperationId, ordered: readonly Ordered[]): void {
  if (principal.kind === 'credential' || ordered.every(({ grantId }) => grantId === principal.grantId)) return
  const { owner, kind } = RIGHTS[operation]
  if (owner === 'maker') throw notFound(kind)
  throw new Problem(
    403,
    'insufficient_scope',
    'The application did not order this: an API credential of the account may change it. For one of its own take another name.',
  )
}

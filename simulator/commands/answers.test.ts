import { createRequire } from 'node:module'
import { createValidator } from 'ocpp-rpc'
import { describe, expect, it } from 'vitest'
import { createKnownCards } from '../model/known-cards.ts'
import { usualPlate, usualRules } from '../model/station-rules.ts'
import { createCertificates } from '../security/certificates.ts'
import { createNetworkAccess } from '../security/network-access.ts'
import { commands16 } from '../v16/commands.ts'
import { commands21 } from '../v21/commands.ts'
import { commands201 } from '../v201/commands.ts'
import { createCommandAnswers, plainAnswers16, plainAnswers21, plainAnswers201 } from './answers.ts'
import type { CommandTarget } from './target.ts'

const require = createRequire(import.meta.url)
/** A station without connectors: enough to see which commands exist. */
const bare = {
  outlets: [],
  sampleIntervalSeconds: 0,
  messageRetries: { attempts: 3, intervalSeconds: 2 },
  rules: usualRules('ocpp1.6'),
  network: createNetworkAccess({ url: 'ws://nowhere', securityProfile: 0 }),
  certificates: createCertificates(),
  plate: usualPlate('BARE'),
  serialNumber: 'BARE',
  variables: [],
  keys: [],
  limits: { rules: { units: [], highestStackLevel: 10, mostPeriods: 24, mostProfiles: 20 } },
  cards: createKnownCards(),
  displayed: new Map(),
  onReset: () => undefined,
  behaviour: {},
} as unknown as CommandTarget

/** What a station says and is never asked. */
const SAID_BY_STATIONS = new Set(
  `Authorize BootNotification ClearedChargingLimit DiagnosticsStatusNotification FirmwareStatusNotification
  BatterySwap ClosePeriodicEventStream Get15118EVCertificate GetCertificateChainStatus GetCertificateStatus Heartbeat LogStatusNotification MeterValues NotifyChargingLimit
  NotifyCustomerInformation NotifyDERAlarm NotifyDERStartStop NotifyDisplayMessages NotifyEVChargingNeeds NotifyEVChargingSchedule NotifyEvent
  NotifyMonitoringReport NotifyPeriodicEventStream NotifyPriorityCharging NotifyReport NotifySettlement
  OpenPeriodicEventStream PullDynamicScheduleUpdate ReportDERControl VatNumberValidation PublishFirmwareStatusNotification ReportChargingProfiles ReservationStatusUpdate
  SecurityEventNotification SignCertificate SignedFirmwareStatusNotification StartTransaction StatusNotification
  StopTransaction TransactionEvent`.split(/\s+/),
)

describe.each([
  { protocol: 'ocpp1.6' as const, file: 'ocpp1_6', plain: plainAnswers16, commands: commands16 },
  { protocol: 'ocpp2.0.1' as const, file: 'ocpp2_0_1', plain: plainAnswers201, commands: commands201 },
  {
    protocol: 'ocpp2.1' as const,
    file: 'ocpp2_1',
    plain: plainAnswers21,
    commands: (target: CommandTarget) => commands21(target).commands,
  },
])('answers to the central system in $protocol', ({ protocol, file, plain, commands }) => {
  const schemas: { $id: string }[] = require(`ocpp-rpc/lib/schemas/${file}.json`)

  it('OCPP-RP13: the plain ones are schema-valid', () => {
    const validator = createValidator(protocol, schemas)
    for (const [method, answer] of Object.entries(plain)) {
      const id = schemas.some(({ $id }) => $id === `urn:${method}.conf`) ? `${method}.conf` : `${method}Response`
      expect(() => validator.validate(`urn:${id}`, answer), method).not.toThrow()
    }
  })

  it('SERVER-B4: cover every command of the version', () => {
    const asked = schemas
      .flatMap(({ $id }) => /^urn:(.*)(?:\.req|Request)$/.exec($id)?.[1] ?? [])
      .filter((method) => !SAID_BY_STATIONS.has(method))
    expect([...new Set([...Object.keys(plain), ...commands(bare).keys()])].sort()).toEqual(asked.sort())
  })

  it('SIM-A1: an unknown action is NotImplemented', () => {
    const answers = createCommandAnswers({ ...bare, protocol })
    expect(() => answers.answer('Nonsense', {})).toThrow(/Nonsense/)
    expect(() => answers.answer('toString', {})).toThrow(/toString/)
  })
})

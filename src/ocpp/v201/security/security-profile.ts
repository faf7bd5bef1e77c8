/** A 2.0.1 station's steps to a higher security profile (CERT-C25; A05, B09, B10). */
import { list, object, text } from '../../translate/payload.ts'
import type { NetworkSlots, ProfileOrder, ProfileStepCall, RaiseProfile } from '../../version.ts'

/** Default: keeps the first slot, the station's fallback (B10). */
const USUAL = { slot: 2, priority: [1] }
const DEFAULT_INTERFACE = 'Wired0'
/** OCPPInterfaceEnumType; a station with other names would refuse these. */
const INTERFACES = ['Wired', 'Wireless'].flatMap((kind) => [0, 1, 2, 3].map((number) => `${kind}${number}`))

export const raiseProfile: RaiseProfile = {
  steps: (order) => [
    ...(order.root === undefined ? [] : (['installCertificate'] as const)),
    'setNetworkProfile',
    'setPriority',
    'reset',
  ],
  call(step, { securityProfile, csmsUrl, root = '', network }: ProfileOrder): ProfileStepCall | undefined {
    const { slot, priority, ocppInterface: reported }: NetworkSlots = network ?? USUAL
    const ocppInterface =
      INTERFACES.find((name) => name.toLowerCase() === reported?.trim().toLowerCase()) ?? DEFAULT_INTERFACE
    switch (step) {
      case 'installCertificate':
        return {
          method: 'InstallCertificate',
          request: { certificateType: 'CSMSRootCertificate', certificate: root },
        }
      case 'setNetworkProfile':
        return {
          method: 'SetNetworkProfile',
          request: {
            configurationSlot: slot,
            connectionData: {
              ocppVersion: 'OCPP20',
              ocppTransport: 'JSON',
              ocppCsmsUrl: csmsUrl,
              messageTimeout: 30,
              securityProfile,
              ocppInterface,
            },
          },
        }
      case 'setPriority':
        return {
          method: 'SetVariables',
          request: {
            setVariableData: [
              {
                component: { name: 'OCPPCommCtrlr' },
                variable: { name: 'NetworkConfigurationPriority' },
                attributeValue: [slot, ...priority].join(','),
              },
            ],
          },
        }
      case 'reset':
        return { method: 'Reset', request: { type: 'OnIdle' } }
      default:
        return undefined
    }
  },
  answer(step, response) {
    const { attributeStatus } = object(list(response.setVariableResult)[0])
    const said = text(step === 'setPriority' ? attributeStatus : response.status)
    if (said === 'Scheduled') return 'scheduled'
    return said === 'Accepted' || said === 'RebootRequired' ? 'done' : 'refused'
  },
}

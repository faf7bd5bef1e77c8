/** The way of a 2.0.1 station to a higher security profile (CERT-C25; A05, B09, B10). */
import { list, object, text } from '../../translate/payload.ts'
import type { ProfileOrder, ProfileStepCall, RaiseProfile } from '../../version.ts'

/** The first one stays as it is: the station goes back to it where the new one does not work (B10). */
const SLOT = 2
const FALLBACK = 1

export const raiseProfile: RaiseProfile = {
  steps: (order) => [
    ...(order.root === undefined ? [] : (['installCertificate'] as const)),
    'setNetworkProfile',
    'setPriority',
    'reset',
  ],
  call(step, { securityProfile, csmsUrl, root = '' }: ProfileOrder): ProfileStepCall | undefined {
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
            configurationSlot: SLOT,
            connectionData: {
              ocppVersion: 'OCPP20',
              ocppTransport: 'JSON',
              ocppCsmsUrl: csmsUrl,
              messageTimeout: 30,
              securityProfile,
              ocppInterface: 'Wired0',
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
                attributeValue: `${SLOT},${FALLBACK}`,
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
    return said === 'Accepted' || said === 'RebootRequired' || said === 'Scheduled' ? 'done' : 'refused'
  },
}

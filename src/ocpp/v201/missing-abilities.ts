/** Requests for abilities that we do not have: refused, so that the station falls back at once (OCPP-MS2). */

import type { Need } from '../translate/message.ts'
import { needsText } from '../translate/message.ts'
import { fromChargePoint } from './from-charge-point.ts'

const statusInfo = { reasonCode: 'NotEnabled' }

const needsObject = (path: string): readonly Need[] => [{ path, kind: 'object' }]

/** M01/M02: the schema requires an EXI answer even where there is none. */
export const get15118EVCertificate = fromChargePoint('Get15118EVCertificate', {
  effect: 'refused: there is no contract certificate pool',
  needs: needsText('exiRequest'),
  answer: () => ({ status: 'Failed', exiResponse: '', statusInfo }),
})

/** M06 */
export const getCertificateStatus = fromChargePoint('GetCertificateStatus', {
  effect: 'refused: OCSP is not asked',
  needs: needsObject('ocspRequestData'),
  answer: () => ({ status: 'Failed', statusInfo }),
})

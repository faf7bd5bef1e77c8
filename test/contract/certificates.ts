/** Certificates, and moving to a higher security profile. */
import type { Address } from './address.ts'
import { ANY, CERTIFICATES, CP, LIST, TIME } from './common.ts'

export const CERTIFICATES_OF_STATIONS: readonly Address[] = [
  {
    at: 'GET /2/certificate-requests',
    first: (place) => place.askForCertificate(),
    needs: CERTIFICATES,
    answers: 200,
    wrongQuery: LIST,
    has: { data: [{ evseControllerId: 'CP1', state: 'pending', csr: ANY, createdAt: TIME }] },
  },
  {
    at: 'PUT /2/certificate-requests/{request}',
    needs: CERTIFICATES,
    answers: 200,
    body: { rejected: 'not this one' },
    wrong: [
      [{ chain: 'no PEM' }, '/chain'],
      [{ rejected: '' }, '/rejected'],
    ],
    has: { state: 'rejected', reason: 'not this one' },
  },
  { at: 'GET /2/certificate-authorities', needs: CERTIFICATES, answers: 200, isOwn: true, has: { data: [] } },
  {
    at: `GET ${CP}/certificates`,
    needs: CERTIFICATES,
    answers: 200,
    has: { data: [{ certificateType: 'V2GRootCertificate', state: 'installed' }] },
    keeps: 'certificate',
  },
  {
    at: `POST ${CP}/certificates`,
    needs: CERTIFICATES,
    answers: 201,
    body: ({ ids }) => ({ certificateType: 'CSMSRootCertificate', certificate: ids.get('root') }),
    wrong: [
      [{ certificateType: 'CSMSRootCertificate' }, '/certificate'],
      [{ certificateType: 'CSMSRootCertificate', certificate: 'no PEM' }, '/certificate'],
      [{ certificateType: 'AnyCertificate', certificate: 'x' }, '/certificateType'],
    ],
    has: { state: 'installed', certificateType: 'CSMSRootCertificate', commandId: ANY },
  },
  // A root that the charge point came with.
  {
    at: `DELETE ${CP}/certificates/{certificate}`,
    needs: CERTIFICATES,
    answers: 204,
    answersApplication: 403,
  },
  {
    at: `POST ${CP}/security-profile`,
    needs: CERTIFICATES,
    answers: 202,
    body: { securityProfile: 2 },
    wrong: [
      [{}, '/securityProfile'],
      [{ securityProfile: 1 }, '/securityProfile'],
    ],
    has: { evseControllerId: 'CP1', securityProfile: 2, state: 'running', step: ANY },
    reported: { location: /^\/2\/evse-controllers\/CP1\/security-profile\/[\w-]+$/ },
    keeps: 'job',
  },
  { at: `GET ${CP}/security-profile/{job}`, needs: CERTIFICATES, answers: 200, has: { securityProfile: 2 } },
  { at: `DELETE ${CP}/security-profile/{job}`, needs: CERTIFICATES, answers: 204 },
  { at: 'GET /certificates/{file}', needs: 'anyone', answers: 200, type: 'application/x-pem-file' },
]

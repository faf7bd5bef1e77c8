/** D01, D02: a list of id tokens; one without idTokenInfo is removed (D01.FR.17). */
import { type LocalListsOnWire, sendLocalList, versionIn } from '../../translate/local-lists-on-wire.ts'
import { idTokenInfo } from '../id-token-info.ts'

export const localLists: LocalListsOnWire = {
  askVersion: { method: 'GetLocalListVersion', request: {} },
  askLimits: {
    method: 'GetVariables',
    request: {
      getVariableData: ['ItemsPerMessage', 'BytesPerMessage'].map((name) => ({
        component: { name: 'LocalAuthListCtrlr' },
        variable: { name },
      })),
    },
  },
  readVersion: ({ versionNumber }) => versionIn(versionNumber),
  entry: (entry, isGone) => ({
    idToken: { idToken: entry.id, type: entry.type },
    ...(!isGone && { idTokenInfo: idTokenInfo(entry) }),
  }),
  send: (versionNumber, isFull, entries) => sendLocalList({ versionNumber }, isFull, entries),
}

/** 1.6 §5.10, §5.15: a list of idTags; one without idTagInfo is removed. */
import { type LocalListsOnWire, sendLocalList, versionIn } from '../../translate/local-lists-on-wire.ts'
import { idTagInfo } from '../id-tag-info.ts'

const ID_TAG_LIMIT = 20

export const localLists: LocalListsOnWire = {
  askVersion: { method: 'GetLocalListVersion', request: {} },
  askLimits: { method: 'GetConfiguration', request: { key: ['SendLocalListMaxLength', 'LocalAuthListMaxLength'] } },
  readVersion: ({ listVersion }) => versionIn(listVersion),
  entry: (entry, isGone) =>
    entry.id.length > ID_TAG_LIMIT ? undefined : { idTag: entry.id, ...(!isGone && { idTagInfo: idTagInfo(entry) }) },
  send: (listVersion, isFull, entries) => sendLocalList({ listVersion }, isFull, entries),
}

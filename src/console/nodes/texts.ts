import type { NodeState } from '../../domain/ports/nodes.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const nodeTexts = pageTexts({
  node: ['Node', 'Knoten'],
  states: {
    live: ['live', 'in Betrieb'],
    draining: ['draining: it ends, and takes nothing new', 'wird beendet, nimmt nichts Neues an'],
    silent: ['silent: not heard of for 15 s, others take its place', 'meldet sich seit 15 s nicht, andere übernehmen'],
    fenced: ['ended', 'beendet'],
  } satisfies Names<NodeState>,
  thisOne: ['answered this page', 'hat diese Seite beantwortet'],
  running: ['Running', 'Läuft seit'],
  lastSeen: ['Last heard', 'Zuletzt gehört'],
  connections: ['Connections', 'Verbindungen'],
  notFirst: [
    'Only users of the account that runs this installation see its nodes.',
    'Nur Benutzer des Kontos, das diese Installation betreibt, sehen ihre Knoten.',
  ],
  process: ['This node since its start', 'Dieser Knoten seit dem Start'],
  messages: ['Messages', 'Nachrichten'],
  queued: ['Waiting in its queue', 'In der Warteschlange'],
  commits: ['Commits', 'Commits'],
  failedCommits: ['Failed commits', 'Fehlgeschlagene Commits'],
  malformed: ['Malformed frames', 'Unlesbare Nachrichten'],
  notReady: ['Not ready', 'Nicht bereit'],
  refuses: ['The database refuses', 'Die Datenbank verweigert'],
  database: ['Database', 'Datenbank'],
  databaseSize: ['Size', 'Größe'],
  logSize: ['Write-ahead log', 'Write-Ahead-Log'],
  diskFree: ['Free on its disk', 'Frei auf der Platte'],
  lastBackup: ['Newest verified backup', 'Neueste geprüfte Sicherung'],
  standbys: ['Standbys', 'Standby-Server'],
  behind: ['Furthest behind', 'Größter Rückstand'],
})

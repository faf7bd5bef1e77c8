/** The reader's own thread: searches, counts and exports never hold up the writer or the sockets (Q10). */
import { parentPort, workerData } from 'node:worker_threads'
import { exposeMethods } from '../../threads/rpc.ts'
import { openSqliteReader } from './reader.ts'

if (!parentPort) throw new Error('reader-thread is started by startReaderThread only.')

const { path } = workerData as { readonly path: string }
const { salt, close, ...reads } = openSqliteReader(path)
exposeMethods(parentPort, { ...reads, salt: () => salt, close })

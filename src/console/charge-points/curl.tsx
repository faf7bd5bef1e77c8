import type { FC } from 'hono/jsx'
import type { Frame } from '../../web/entries.tsx'
import { wordsIn } from '../kit/parts.tsx'

/** A request of the API as a command to copy, without a credential. */
export const Curl: FC<{ frame: Frame; command: string }> = ({ frame, command }) => {
  const words = wordsIn('messages', frame)
  return (
    <details class="curl">
      <summary>{words.asCurl}</summary>
      <p class="soft">{words.curlHint}</p>
      <Copied frame={frame} text={command} />
    </details>
  )
}

export function curlOf(address: string, body?: object): string {
  const lines = ['curl -H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL"']
  if (body) lines.push('-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`)
  return [...lines, quoted(address)].join(' \\\n  ')
}

/** For a POSIX shell: single quotes keep everything else literal. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

export const Copied: FC<{ frame: Frame; text: string }> = ({ frame, text }) => {
  const words = wordsIn('messages', frame)
  return (
    <div class="copied">
      <pre tabindex={0}>{text}</pre>
      <button type="button" data-copy={words.copied}>
        {words.copy}
      </button>
    </div>
  )
}

import type { FC } from 'hono/jsx'
import type { Frame } from '../../web/layout.tsx'
import { logTexts } from '../kit/texts.ts'

export const Copied: FC<{ frame: Frame; text: string }> = ({ frame, text }) => {
  const words = logTexts(frame)
  return (
    <div class="copied">
      <pre tabindex={0}>{text}</pre>
      <button type="button" data-copy={words.copied}>
        {words.copy}
      </button>
    </div>
  )
}

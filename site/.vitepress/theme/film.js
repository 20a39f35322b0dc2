import { withBase } from 'vitepress';

/** The films of a phone and of a desk, in the order of the pictures in docs/index.md. */
const FILMS = ['/landing/terminal-narrow.svg', '/landing/terminal.svg'];

/** What a visitor does who looks at the page. */
const MOVES = ['pointermove', 'scroll', 'keydown'];
/** ms: a tap moves a little, too, and its click is not meant to stop the film that this began. */
const TAP = 500;

/**
 * Plays the film in place of its last picture. It takes a browser more work than the rest of the page, so it begins with
 * the visitor's first move. A click stops it, as people must be able to stop what moves for long, or plays it again.
 */
export function playFilm(link) {
  const stills = [...link.querySelectorAll('source, img')].map((node) => {
    const name = node.tagName === 'IMG' ? 'src' : 'srcset';
    return { node, name, still: node.getAttribute(name) };
  });
  let played = 0;
  let isPlaying = false;
  let begunAt = -Infinity;
  const toggle = () => {
    isPlaying = !isPlaying;
    // another address, as a film that a page has again goes on where it was
    if (isPlaying) played += 1;
    for (const [i, { node, name, still }] of stills.entries())
      node.setAttribute(name, isPlaying ? `${withBase(FILMS[i])}?${played}` : still);
  };
  const begin = ({ timeStamp }) => {
    forget();
    begunAt = timeStamp;
    if (!isPlaying) toggle();
  };
  const forget = () => MOVES.forEach((name) => window.removeEventListener(name, begin));
  link.addEventListener('click', (event) => {
    event.preventDefault();
    forget();
    if (event.timeStamp - begunAt > TAP) toggle();
  });
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const name of MOVES) window.addEventListener(name, begin, { passive: true });
}

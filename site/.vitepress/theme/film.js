import { withBase } from 'vitepress';

/** The films of a phone and of a desk, in the order of the pictures in docs/index.md. */
const FILMS = ['/landing/terminal-narrow.svg', '/landing/terminal.svg'];

/**
 * Plays the film in place of its last picture. It takes a browser more work than the rest of the page, so it begins when
 * nothing else is left to do. A click stops it, as people must be able to stop what moves for long, or plays it again.
 */
export function playFilm(link) {
  const stills = [...link.querySelectorAll('source, img')].map((node) => {
    const name = node.tagName === 'IMG' ? 'src' : 'srcset';
    return { node, name, still: node.getAttribute(name) };
  });
  let played = 0;
  let isPlaying = false;
  const toggle = () => {
    isPlaying = !isPlaying;
    // another address, as a film that a page has again goes on where it was
    if (isPlaying) played += 1;
    for (const [i, { node, name, still }] of stills.entries())
      node.setAttribute(name, isPlaying ? `${withBase(FILMS[i])}?${played}` : still);
  };
  link.addEventListener('click', (event) => {
    event.preventDefault();
    toggle();
  });
  const start = () => (window.requestIdleCallback ?? setTimeout)(() => isPlaying || toggle());
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
}

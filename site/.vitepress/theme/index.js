import { Content, useData, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';

import { playFilm } from './film.js';
import './style.css';
import './landing.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'aside-outline-after': () => h(AsMarkdown) }),
  enhanceApp({ app }) {
    layOutAtFirstMove();
    app.component('landing', {
      mounted() {
        playFilm(this.$el.querySelector('.film'));
      },
      render: () => h('main', { class: 'landing vp-doc' }, [h(Content)]),
    });
  },
};

/**
 * Lays out all tables when the visitor moves for the first time, so that links and the scrollbar lead where they should. The
 * head of each page has set the class, unless the page begins elsewhere than at its top.
 */
function layOutAtFirstMove() {
  if (import.meta.env.SSR) return;
  const moves = ['pointermove', 'pointerdown', 'click', 'keydown', 'scroll', 'hashchange'];
  const layOut = () => document.documentElement.classList.remove('unmoved');
  for (const name of moves) window.addEventListener(name, layOut, { capture: true, once: true, passive: true });
}

/** A link to the Markdown of the page, which is beside it. */
const AsMarkdown = {
  setup() {
    const { page } = useData();
    return () =>
      h('a', { class: 'as-markdown', href: withBase(`/${page.value.relativePath}`), target: '_self' }, 'As Markdown');
  },
};

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
    app.component('landing', {
      mounted() {
        playFilm(this.$el.querySelector('.film'));
      },
      render: () => h('main', { class: 'landing vp-doc' }, [h(Content)]),
    });
  },
};

/** A link to the Markdown of the page, which is beside it. */
const AsMarkdown = {
  setup() {
    const { page } = useData();
    return () =>
      h('a', { class: 'as-markdown', href: withBase(`/${page.value.relativePath}`), target: '_self' }, 'As Markdown');
  },
};

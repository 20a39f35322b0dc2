import { useData, withBase } from 'vitepress';
import { h } from 'vue';

/**
 * The groups of the sidebar, in place of those of VitePress: `details` open without scripts, and hydrating a component
 * for each of a hundred links takes a phone a third of a second.
 */
export default {
  props: { items: { type: Array, required: true } },
  setup(props) {
    const { page } = useData();
    return () => {
      const path = `/${page.value.relativePath.replace(/\.md$/, '.html')}`;
      return props.items.map((group) =>
        h('details', { key: group.text, class: 'sidebar-group', open: !group.collapsed || has(group, path) }, [
          h('summary', group.text),
          list(group.items, path),
        ]),
      );
    };
  },
};

function list(items, path) {
  return h(
    'ul',
    items.map((item) => h('li', item.items ? [h('span', item.text), list(item.items, path)] : [link(item, path)])),
  );
}

function link({ text, link: target }, path) {
  return h('a', { href: withBase(target), 'aria-current': target === path ? 'page' : undefined }, text);
}

function has({ items, link: target }, path) {
  return target === path || Boolean(items?.some((item) => has(item, path)));
}

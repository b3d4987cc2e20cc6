//! Lists of actions.

/// Makes a type an [`ExactSizeIterator`] over actions, from how to take the next
/// one out of it and how many are left.
macro_rules! action_list {
    ($list:ty, $action:ty, next: |$of:ident| $next:expr, left: |$rest:ident| $left:expr) => {
        impl Iterator for $list {
            type Item = $action;

            #[inline]
            fn next(&mut self) -> Option<$action> {
                let $of = self;
                $next
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let $rest = self;
                let left = $left as usize;
                (left, Some(left))
            }
        }

        impl ExactSizeIterator for $list {}
    };
}
pub(crate) use action_list;

//! Texts between the host's memory and ours.

#![expect(unsafe_code, reason = "the host hands over addresses")]

/// Room for a text of the host, which writes it there. It is freed by [`ludens_call`] or
/// [`ludens_free`].
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ludens_alloc(len: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; len].into_boxed_slice()).cast()
}

/// Frees what [`ludens_alloc`] or [`ludens_call`] gave.
///
/// # Safety
/// `data` and `len` are those of one such text, which was not freed before.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ludens_free(data: *mut u8, len: usize) {
    // SAFETY: it was made by `Box::into_raw` of a slice of this length, as the caller promises.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(data, len)) });
}

/// Answers a call, whose text it frees. The reply's address is in the upper half of the result, its
/// length in the lower.
///
/// # Safety
/// `data` and `len` are those of a text by [`ludens_alloc`] that was not freed before.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ludens_call(data: *mut u8, len: usize) -> u64 {
    // SAFETY: as in `ludens_free`.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(data, len)) };
    let reply = crate::call(&String::from_utf8_lossy(&request)).to_string().into_bytes();
    let reply = reply.into_boxed_slice();
    let len = reply.len() as u64;
    (Box::into_raw(reply).cast::<u8>() as u64) << 32 | len
}
